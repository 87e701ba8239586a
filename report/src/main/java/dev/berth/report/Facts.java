package dev.berth.report;

import java.util.List;

/**
 * Single values with their names.
 *
 * @param facts not empty, with different keys
 */
public record Facts(List<Fact> facts) implements Block {

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if there is no fact, or two have the same key
   */
  public Facts {
    facts = List.copyOf(facts);
    Checks.notEmpty("facts", facts);
    Checks.unique("facts", facts, Fact::key);
  }

  /** Returns a block of these facts. */
  public static Facts of(Fact... facts) {
    return new Facts(List.of(facts));
  }

  /**
   * A value with its name.
   *
   * @param key names it for programs; unique within a section
   * @param label names it for people; not blank
   * @param value words or a number
   */
  public record Fact(String key, String label, Table.Cell value) {

    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if one is blank
     */
    public Fact {
      Checks.notBlank("key of '%s'".formatted(label), key);
      Checks.notBlank("label of " + key, label);
    }
  }
}
