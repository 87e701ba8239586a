package dev.berth.testkit.assertions;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Resources;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;

/** Assertions about a host. */
public final class HostAssert extends AbstractAssert<HostAssert, Host> {

  HostAssert(Host host) {
    super(host, HostAssert.class);
  }

  /** The host has exactly these instances, suspended ones included, in any order. */
  public HostAssert holds(String instanceId, String... others) {
    Set<String> expected = new TreeSet<>(List.of(others));
    expected.add(instanceId);
    return check(
        held().equals(expected),
        "hold %s and no other instance".formatted(String.join(", ", expected)));
  }

  /** The host has no instance. */
  public HostAssert holdsNobody() {
    return check(held().isEmpty(), "hold no instance");
  }

  /** The host has exactly this free capacity. */
  public HostAssert hasFree(Resources expected) {
    return check(actual.free().equals(expected), "have free " + expected);
  }

  private Set<String> held() {
    return actual.instances().stream()
        .map(Instance::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private HostAssert check(boolean holds, String expected) {
    if (!holds) {
      failWithMessage(
          "%s",
          "expected %s to %s, but it holds %s; free: %s of %s"
              .formatted(
                  actual.id(),
                  expected,
                  held().isEmpty() ? "no instance" : String.join(", ", held()),
                  actual.free(),
                  actual.capacity()));
    }
    return this;
  }
}
