package dev.berth.report;

/** The forms in which a document can be rendered. */
public enum Medium {
  /** Lines for a terminal. */
  TEXT,
  /** Markdown. */
  MARKDOWN,
  /** JSON for programs. */
  JSON,
  /** One HTML page with charts. */
  HTML
}
