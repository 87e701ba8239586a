package dev.berth.testkit.contract;

import java.util.EnumSet;
import java.util.Set;

/**
 * A set of capabilities. A contract test starts from {@link #all} and removes what does not apply.
 *
 * <p><b>Uses</b> ({@code PREEMPTS}, {@code PREEMPTS_STARTING}, {@code DEFERS}, {@code ADJUSTS} and
 * its parts) are checked both ways: a declared use must occur, and an undeclared one must not.
 * <b>Promises</b> are checked if they are made; otherwise their tests are skipped and say why.
 * Immutable.
 */
public final class Capabilities {

  private static final Capabilities ALL = new Capabilities(EnumSet.allOf(Capability.class));

  private final Set<Capability> capabilities;

  private Capabilities(Set<Capability> capabilities) {
    this.capabilities = capabilities;
  }

  /** Returns all capabilities. */
  public static Capabilities all() {
    return ALL;
  }

  /** Returns these capabilities without some, and without those that depend on the removed ones. */
  public Capabilities without(Capability... some) {
    Set<Capability> rest = EnumSet.copyOf(capabilities);
    for (Capability each : some) {
      rest.remove(each);
      rest.removeIf(other -> other.needs(each));
    }
    return new Capabilities(rest);
  }

  /** Returns whether these include a capability. */
  public boolean include(Capability capability) {
    return capabilities.contains(capability);
  }

  @Override
  public String toString() {
    return capabilities.toString();
  }
}
