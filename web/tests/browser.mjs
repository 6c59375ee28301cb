// Chromium for the tests.
import { chromium } from "playwright-core";

/** Starts the Chromium that the variable CHROMIUM names, or the one of the system. */
export function openBrowser() {
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    // In a container, Chromium cannot set up its own sandbox.
    return chromium.launch({ executablePath, args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
}
