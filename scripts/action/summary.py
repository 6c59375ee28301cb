"""Writes the summary of a job in Markdown: tables of wrong and missing counts, and each bug with its board, its rule and a line for a suite.

Everything that an engine, a position or perft says is code, so GitHub makes no markup, links or mentions of it.
"""

# A summary with more rows would be hard to read.
ROWS = 20
CAUSES = 3


def figures(report):
    """Returns the sums over the suites of a report."""
    suites = report["suites"]
    total = {key: sum(suite[key] for suite in suites) for key in ["positions", "checked", "left_out_impossible"]}
    total |= {name: sum(len(suite[key]) for suite in suites) for name, key in [("wrong", "wrong_counts"), ("missing", "unanswered")]}
    return total | {"problems": total["wrong"] + total["missing"]}


def markdown(suites, hunted, tables, problems):
    """Returns the summary."""
    total = figures(suites)
    parts = [failure(problems) if problems else "## perft: all counts are right"]
    counts = f"{total['positions']} positions, {total['checked']} counts, {total['wrong']} wrong, {total['missing']} missing."
    parts.append(f"{code(suites['engine']['command'])}: {counts}")
    if hunted:
        parts += [bug(number, finding) for number, finding in enumerate(hunted["findings"], 1)]
        parts += [block(hunted["notes"])] if hunted["notes"] else []
    for title, key, columns in [("Wrong counts", "wrong_counts", ["expected", "found"]), ("Missing counts", "unanswered", ["error"])]:
        parts += table(title, ["position", "depth", *columns, "FEN"], [problem for suite in suites["suites"] for problem in suite[key]])
    if tables:
        parts += ["### Speed", tables.strip()]
    return "\n\n".join(parts) + "\n"


def failure(problems):
    """Returns the title of a summary, and the problems."""
    return "## perft: failed\n\n" + block(problems)


def table(title, columns, problems):
    """Returns a heading and a table of Markdown, or nothing if there are no problems."""
    if not problems:
        return []
    values = [problem | {"position": problem["position"].get("name"), "FEN": problem["position"]["fen"]} for problem in problems[:ROWS]]
    lines = [columns, ["---"] * len(columns), *([code(value[column]) for column in columns] for value in values)]
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    left_out = [f"{len(problems) - ROWS} more are in `suite.json`."] if len(problems) > ROWS else []
    return [f"### {title}", text, *left_out]


def bug(number, finding):
    """Returns the description of a bug."""
    answer = finding["error"] or f"expected {finding['expected']}, found {finding['found']}"
    lines = [f"position {finding['position']['fen']}", f"depth {finding['depth']}: {answer}"]
    lines += [move["why"] for move in finding["missing"] + finding["extra"]]
    lines += [f"{count['move']}: expected {count['expected']}, found {count['found']}" for count in finding["wrong_counts"]]
    if finding["path"]:
        lines.append(f"after {' '.join(finding['path'])} from {finding['root']['fen']}")
    lines += finding["history"]
    word = "cause" if len(finding["causes"]) == 1 else "one of the causes"
    lines += [f"{word}: {cause['about']}" for cause in finding["causes"][:CAUSES]]
    parts = [f"### Bug {number}: {finding['verdict']}, {', '.join(finding['themes'])}", block(board(finding["position"]["fen"]))]
    return "\n\n".join([*parts, block([*lines, finding["meaning"]]), "For a test suite:", block([finding["epd"]])])


def board(fen):
    """Returns the lines of the board of a FEN."""
    ranks = ["".join("." * int(sign) if sign.isdigit() else sign for sign in rank) for rank in fen.split()[0].split("/")]
    return [*(f"{number} {' '.join(rank)}" for number, rank in zip("87654321", ranks)), "  a b c d e f g h"]


def block(lines):
    """Returns lines as a block of code."""
    return "\n".join(["```text", *(line.replace("\r", "").replace("\n", " ").replace("```", "'''") for line in lines), "```"])


def code(text):
    """Returns text as code in a line or in a cell of a table. Code has no backticks, and a cell no vertical bars."""
    words = " ".join(str("" if text is None else text).split())
    return f"`{words.replace('`', chr(39)).replace('|', '¦')}`" if words else ""
