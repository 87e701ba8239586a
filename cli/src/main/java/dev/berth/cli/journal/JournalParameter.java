package dev.berth.cli.journal;

import picocli.CommandLine.Parameters;

/** The parameter {@code JOURNAL}: the folder of a journal. */
public final class JournalParameter {

  @Parameters(paramLabel = "JOURNAL", description = "Folder of the journal of a scheduler.")
  private String name = "";

  /** Returns the folder, which need not exist. */
  public JournalFolder folder() {
    return new JournalFolder("JOURNAL", name);
  }
}
