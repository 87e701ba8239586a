package dev.berth.cli.terminal;

/** How a command shows its progress on standard error. */
public enum ProgressMode {
  /** Not at all. */
  NONE,
  /** In a line from time to time. */
  LOG,
  /** In one line that is rewritten. */
  TERMINAL
}
