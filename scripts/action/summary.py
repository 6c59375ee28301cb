"""Writes the summary of a job in Markdown: a table of wrong counts, and each bug with its board, its rule and a line for a suite.

Names and messages of engines are escaped, so that they are neither markup nor links.
"""

import re

# A summary with more rows would be hard to read.
ROWS = 20
CAUSES = 3


def figures(report):
    """Returns the sums over the suites of a report."""
    suites = report["suites"]
    wrong = sum(len(suite["wrong_counts"]) for suite in suites)
    missing = sum(len(suite["unanswered"]) for suite in suites)
    return {
        "positions": sum(suite["positions"] for suite in suites),
        "checked": sum(suite["checked"] for suite in suites),
        "wrong": wrong,
        "missing": missing,
        "problems": wrong + missing,
    }


def markdown(suites, hunted, tables, problems):
    """Returns the summary."""
    total = figures(suites)
    command = suites["engine"]["command"]
    parts = [failure(problems) if problems else "## perft: all counts are right"]
    parts.append(
        f"{code(command)}: {total['positions']} positions, {total['checked']} counts, {total['wrong']} wrong, {total['missing']} missing."
    )
    if hunted:
        parts += [bug(number, finding) for number, finding in enumerate(hunted["findings"], 1)]
        parts += [f"- {escaped(note)}" for note in hunted["notes"]]
    parts += wrong_counts(suites) + missing_counts(suites)
    if tables:
        parts += ["### Speed", tables.strip()]
    return "\n\n".join(part for part in parts if part) + "\n"


def failure(problems):
    """Returns the title of a summary, and a list of the problems."""
    return "\n".join(["## perft: failed", "", *(f"- {escaped(problem)}" for problem in problems)])


def wrong_counts(suites):
    """Returns a table of the wrong counts."""
    rows = [
        [escaped(problem["position"].get("name") or ""), problem["depth"], problem["expected"], problem["found"], code(problem["position"]["fen"])]
        for suite in suites["suites"]
        for problem in suite["wrong_counts"]
    ]
    return table("Wrong counts", ["position", "depth", "expected", "found", "FEN"], rows)


def missing_counts(suites):
    """Returns a table of the counts that the engine did not give."""
    rows = [
        [escaped(problem["position"].get("name") or ""), problem["depth"], escaped(problem["error"]), code(problem["position"]["fen"])]
        for suite in suites["suites"]
        for problem in suite["unanswered"]
    ]
    return table("Missing counts", ["position", "depth", "reason", "FEN"], rows)


def table(title, header, rows):
    """Returns a heading and a table of Markdown, or nothing if there are no rows."""
    if not rows:
        return []
    lines = [header, ["---"] * len(header), *rows[:ROWS]]
    text = "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
    left_out = [f"{len(rows) - ROWS} more are in `suite.json`."] if len(rows) > ROWS else []
    return [f"### {title}", text, *left_out]


def bug(number, finding):
    """Returns the description of a bug."""
    parts = [f"### Bug {number}: {finding['verdict']}, {', '.join(finding['themes'])}"]
    parts.append("```text\n" + board(finding["position"]["fen"]) + "\n```")
    wrong = finding["missing"] + finding["extra"]
    lines = [f"position {code(finding['position']['fen'])}", f"depth {finding['depth']}: {escaped(answer(finding))}"]
    lines += [escaped(move["why"]) for move in wrong]
    lines += [f"{escaped(count['move'])}: expected {count['expected']}, found {count['found']}" for count in finding["wrong_counts"]]
    if finding["path"]:
        lines.append(f"after {escaped(' '.join(finding['path']))} from {code(finding['root']['fen'])}")
    word = "cause" if len(finding["causes"]) == 1 else "one of the causes"
    lines += [f"{word}: {escaped(cause['about'])}" for cause in finding["causes"][:CAUSES]]
    lines.append(escaped(finding["meaning"]))
    parts.append("\n".join(f"- {line}" for line in lines))
    parts.append("For a test suite:\n\n```text\n" + finding["epd"] + "\n```")
    return "\n\n".join(parts)


def answer(finding):
    """Returns the right count and the count of the engine."""
    if finding["error"]:
        return finding["error"]
    return f"expected {finding['expected']}, found {finding['found']}"


def board(fen):
    """Returns the board of a FEN as text."""
    lines = []
    for rank, row in zip("87654321", fen.split()[0].split("/")):
        squares = "".join("." * int(sign) if sign.isdigit() else sign for sign in row)
        lines.append(f"{rank} {' '.join(squares)}")
    return "\n".join([*lines, "  a b c d e f g h"])


def code(text):
    """Returns text as inline code. In a table, only FENs are code, because they have no vertical bars."""
    return f"`{' '.join(str(text).split()).replace('`', chr(39))}`"


def escaped(text):
    """Returns text that cannot leave its line or cell, and has no markup."""
    return re.sub(r"([\\`|<>&\[\]*~])", r"\\\1", str(text)).replace("\r", "").replace("\n", "<br>")
