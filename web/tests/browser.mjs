// Chromium for the tests.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PROGRAMS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/google-chrome"];

/** Starts the Chromium of this system. */
export function openBrowser() {
    const executablePath = PROGRAMS.find((path) => path && existsSync(path));
    // In a container, Chromium cannot set up its own sandbox.
    return chromium.launch({ executablePath, args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
}
