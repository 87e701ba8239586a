package dev.berth.api.policy;

import static dev.berth.api.Arguments.refuseIf;

import java.util.Map;

/** The memory of a policy that remembers nothing. */
final class NoMemory implements PolicyMemory {

  static final NoMemory NONE = new NoMemory();

  private NoMemory() {}

  @Override
  public Map<String, Object> save() {
    return Map.of();
  }

  @Override
  public void restore(Map<String, Object> saved) {
    refuseIf(!saved.isEmpty(), "the policy remembers nothing, but %s was saved.", saved.keySet());
  }

  @Override
  public String toString() {
    return "no memory";
  }
}
