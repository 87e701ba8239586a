package dev.berth.testkit.contract;

import java.util.EnumSet;
import java.util.Set;

/**
 * A set of capabilities. A contract test starts from {@link #all} and takes away what does not
 * apply: <b>uses</b> ({@code PREEMPTS}, {@code PREEMPTS_STARTING}, {@code DEFERS}, {@code ADJUSTS}
 * and its parts) are held to both ways, since one that is declared must be seen and one that is not
 * must never be; <b>promises</b> are held to if they are made, and otherwise their tests are
 * skipped, with a word why. Immutable.
 */
public final class Capabilities {

  private static final Capabilities ALL = new Capabilities(EnumSet.allOf(Capability.class));

  private final Set<Capability> capabilities;

  private Capabilities(Set<Capability> capabilities) {
    this.capabilities = capabilities;
  }

  /** Returns all there are. */
  public static Capabilities all() {
    return ALL;
  }

  /** Returns these without some, and without those that make no sense without them. */
  public Capabilities without(Capability... some) {
    Set<Capability> rest = EnumSet.copyOf(capabilities);
    for (Capability each : some) {
      rest.remove(each);
      rest.removeIf(other -> other.needs(each));
    }
    return new Capabilities(rest);
  }

  /** Returns whether one is among these. */
  public boolean include(Capability capability) {
    return capabilities.contains(capability);
  }

  @Override
  public String toString() {
    return capabilities.toString();
  }
}
