package dev.berth.core.internal.rule;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.core.internal.digest.TrackedRecord;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A host as placement rules see it: its slot, and the values of its attributes. */
public abstract class RuledHost extends TrackedRecord implements Host {

  private static final Object[] NO_VALUES = {};
  private static final Object ABSENT = new Object(); // value of an attribute

  private HostSpec spec;
  private int slot;

  // Values of attributes that rules refer to, as far as they were asked for
  private @Nullable HostSpec valuesOf;
  private Object[] values = NO_VALUES;

  protected RuledHost(HostSpec spec) {
    this.spec = spec;
  }

  /** Returns its description. */
  public final HostSpec spec() {
    return spec;
  }

  protected final void describe(HostSpec changed) {
    spec = changed;
  }

  /** Returns its slot in the table of hosts; another one if it comes back. */
  public final int slot() {
    return slot;
  }

  protected final void isIn(int place) {
    slot = place;
  }

  /**
   * Returns the number of its taints that discourage an instance from coming and that its request
   * does not tolerate.
   */
  public abstract int untoleratedSoft(Request request);

  /**
   * Returns the value of an attribute, or null if the host does not have it.
   *
   * @param number of the attribute in {@link PeerIndex}
   */
  @SuppressWarnings("ReferenceEquality") // another description, perhaps an equal one
  final @Nullable Object value(String attribute, int number) {
    if (valuesOf != spec) {
      valuesOf = spec;
      Arrays.fill(values, null);
    }
    if (number >= values.length) {
      values = Arrays.copyOf(values, number + 1);
    }
    Object value = values[number];
    if (value == null) {
      String given = spec.attributes().get(attribute);
      value = given == null ? ABSENT : given;
      values[number] = value;
    }
    return value == ABSENT ? null : value;
  }
}
