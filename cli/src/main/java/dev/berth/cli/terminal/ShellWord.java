package dev.berth.cli.terminal;

import java.util.regex.Pattern;

/** Words of command lines that are shown, to be pasted into a shell. */
public final class ShellWord {

  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private ShellWord() {}

  /** Returns a word in quotes, if a shell would not read it as it is. */
  public static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
