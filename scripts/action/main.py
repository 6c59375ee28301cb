"""Runs the steps of the GitHub Action: fetches perft, checks the engine, hunts, compares its speed, and writes the summary.

GitHub names the files for the outputs and for the summary in environment variables. action.yml passes the inputs as INPUT_NAME.
The reports are in the folder that the input `report` names:

    suite.json, hunt.json, compare.json    the reports of perft
    bugs.epd                               a line for each bug, for a test suite
    summary.md                             the summary of the job
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import fetch
import summary

# Exit codes of perft.
RIGHT, WRONG, USAGE, SLOWER, ENGINE_FAILED, UNDECIDED = 0, 1, 2, 3, 4, 5


class Failed(Exception):
    """The action cannot continue."""


def read_input(name):
    return os.environ.get("INPUT_" + name.upper().replace("-", "_"), "").strip()


def run(perft, *arguments):
    """Runs perft. Returns its exit code and its output. Its messages for people go to the log, and into the error if there is no report."""
    # GitHub could read a line of an input as a command.
    print("perft", " ".join(shlex.join(arguments).splitlines()), flush=True)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as report:
        process = subprocess.Popen([perft, *arguments], stdout=report, stderr=subprocess.PIPE, text=True, encoding="utf-8")
        said = []
        for line in process.stderr:
            print(line, end="", file=sys.stderr, flush=True)
            said.append(line)
        code = process.wait()
        report.seek(0)
        text = report.read()
    if not text:
        said = "".join(said).strip() or "it said nothing"
        raise Failed(f"perft {arguments[0]} ended with exit code {code} and without a report: {said}")
    return code, text


def asked_lines():
    return [line.strip() for line in read_input("ask").splitlines() if line.strip()]


class Check:
    """One run of the action."""

    def __init__(self, perft, folder):
        self.perft = perft
        self.folder = folder
        self.suites = read_input("suite").split()
        self.engine = ["--engine", read_input("engine"), *(option for line in asked_lines() for option in ["--ask", line])]
        self.engine += ["--dialect", read_input("dialect")] if read_input("dialect") else []
        self.limits = ["--max-nodes", read_input("max-nodes"), "--threads", read_input("threads") or "all"]
        self.problems = []

    def report(self, command, engine):
        """Runs a command of perft on the suites, and keeps its report. Returns its exit code and its report."""
        code, text = run(self.perft, command, *self.suites, *self.limits, *engine, "--json")
        (self.folder / f"{command}.json").write_text(text, encoding="utf-8")
        return code, json.loads(text)

    def check_suites(self):
        """Asks the engine for all counts, and checks that it was asked about all positions."""
        expected = summary.figures(self.report("suite", [])[1])["positions"]
        code, report = self.report("suite", self.engine)
        figures = summary.figures(report)
        if figures["problems"]:
            self.problems.append(f"{figures['wrong']} counts are wrong, {figures['missing']} are missing")
        if figures["positions"] + figures["left_out_impossible"] < expected or not report["complete"]:
            notes = [note for suite in report["suites"] for note in suite.get("notes", [])]
            self.problems.append("; ".join([f"only {figures['positions']} of {expected} positions were checked", *notes]))
        if figures["checked"] == 0:
            self.problems.append("no count was checked")
        if code != RIGHT and not self.problems:
            self.problems.append(f"perft suite ended with exit code {code}")
        return report

    def hunt(self):
        """Finds the causes of wrong counts."""
        _, report = self.report("hunt", self.engine)
        lines = [finding["epd"] + "\n" for finding in report["findings"]]
        (self.folder / "bugs.epd").write_text("".join(lines), encoding="utf-8")
        return report

    def compare(self):
        """Compares the speed with that of an older build. Returns the tables in Markdown."""
        with tempfile.TemporaryDirectory() as place:
            config = Path(place) / "perft.toml"
            config.write_text(entry("this-build", "engine") + entry("base-build", "base-engine"), encoding="utf-8")
            code, tables = run(
                self.perft, "bench", *read_input("positions").split(), "--config", str(config),
                "--engine", "this-build", "--engine", "base-build", "--reference", "base-build",
                "--max-regression", read_input("max-regression"), "--format", "markdown",
                "--export-json", str(self.folder / "compare.json"),
            )
        reasons = {
            WRONG: "a build counts wrong in the comparison of speed",
            SLOWER: f"the engine is more than {read_input('max-regression').rstrip('% ')}% slower than the base build",
            ENGINE_FAILED: "a build failed in the comparison of speed",
            UNDECIDED: "the machine was too busy to decide whether the engine is slower than the base build",
        }
        if code != RIGHT:
            self.problems.append(reasons.get(code, f"perft bench ended with exit code {code}"))
        return tables


def entry(name, source):
    """Returns the entry of a perft.toml for a build. JSON and TOML write strings and lists in the same way."""
    values = {"command": read_input(source), "folder": os.getcwd(), "dialect": read_input("dialect"), "ask": asked_lines()}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items() if value]
    return "\n".join([f"[engine.{name}]", *lines, "", ""])


def append_to(variable, text):
    """Appends text to the file that this variable of GitHub names."""
    if os.environ.get(variable):
        with open(os.environ[variable], "a", encoding="utf-8") as file:
            file.write(text)


def check_engine(folder):
    """Runs all steps. Returns the problems, one sentence for each."""
    if len(str(folder).splitlines()) > 1:
        raise Failed(f"the name of the folder has more than one line: {str(folder)!r}")
    append_to("GITHUB_OUTPUT", f"report={folder}\n")
    folder.mkdir(parents=True, exist_ok=True)
    if not read_input("engine"):
        raise Failed("the input 'engine' is empty")
    perft = read_input("perft") or str(fetch.fetch())
    check = Check(perft, folder)
    suites = check.check_suites()
    figures = summary.figures(suites)
    hunted = check.hunt() if figures["problems"] and read_input("hunt") != "false" else None
    tables = check.compare() if read_input("base-engine") else None
    text = summary.markdown(suites, hunted, tables, check.problems)
    (folder / "summary.md").write_text(text, encoding="utf-8")
    append_to("GITHUB_STEP_SUMMARY", text)
    append_to("GITHUB_OUTPUT", f"wrong={figures['problems']}\nbugs={len(hunted['findings']) if hunted else 0}\n")
    return check.problems


def main():
    try:
        problems = check_engine(Path(read_input("report") or "perft-report"))
    except (Failed, fetch.CannotFetch, OSError) as error:
        problems = [str(error)]
        append_to("GITHUB_STEP_SUMMARY", summary.failure(problems))
    for problem in problems:
        # A line break would end the command for GitHub.
        print("::error title=perft::" + problem.replace("%", "%25").replace("\r", "").replace("\n", "%0A"))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
