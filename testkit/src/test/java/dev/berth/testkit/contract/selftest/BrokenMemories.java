package dev.berth.testkit.contract.selftest;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.testkit.rule.Rule;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Policies that alternate between the first and the last host, and lie about what they keep. */
final class BrokenMemories {

  private static final String PASSES = "passes";
  private static final String DIFFERS =
      "with its scheduler restored from snapshots in between, pass \\d+ differs: .*";

  private BrokenMemories() {}

  @Breaks(value = Rule.P43, says = DIFFERS, events = 20)
  static class SaysThatItKeepsNothing extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new Alternating(each -> PolicyMemory.none());
    }
  }

  @Breaks(value = Rule.P43, says = "it saves \\{passes=\\d+}, and once restored .*", events = 20)
  static class RestoresNothing extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new Alternating(
          each ->
              new Memory(each) {
                @Override
                public void restore(Map<String, Object> saved) {}
              });
    }
  }

  @Breaks(value = Rule.P43, says = DIFFERS, events = 20)
  static class SavesOnlyAPart extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new Alternating(
          each ->
              new Memory(each) {
                @Override
                public Map<String, Object> save() {
                  return Map.of(PASSES, each.passes / 2 * 2);
                }
              });
    }
  }

  @Breaks(
      value = Rule.P43,
      says = "its memory cannot be restored: memory.last was a .*, must be text, .*",
      events = 20)
  static class SavesViews extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new Alternating(
          each ->
              new Memory(each) {
                @Override
                public Map<String, Object> save() {
                  Map<String, Object> saved = new HashMap<>(super.save());
                  if (each.last != null) {
                    saved.put("last", each.last);
                  }
                  return saved;
                }
              });
    }
  }

  @Breaks(
      value = Rule.P46,
      says = "a question about the next pass changes what is kept",
      events = 20)
  static class AddsWhatWasSaved extends PolicySubject {
    @Override
    Policy make(PolicyContext context) {
      return new Alternating(
          each ->
              new Memory(each) {
                @Override
                public void restore(Map<String, Object> saved) {
                  each.passes += (Long) saved.getOrDefault(PASSES, 0L);
                }
              });
    }
  }

  /** Saves and restores all; the subjects break it. */
  private static class Memory implements PolicyMemory {

    private final Alternating policy;

    Memory(Alternating policy) {
      this.policy = policy;
    }

    @Override
    public Map<String, Object> save() {
      return Map.of(PASSES, policy.passes);
    }

    @Override
    public void restore(Map<String, Object> saved) {
      policy.passes = (Long) saved.getOrDefault(PASSES, 0L);
    }
  }

  /** A policy that counts its passes. */
  private static final class Alternating extends FirstFitPolicy {

    private final PolicyMemory memory;
    long passes;
    Host last;

    Alternating(Function<Alternating, PolicyMemory> memory) {
      this.memory = memory.apply(this);
    }

    @Override
    public void schedule(SchedulingPass pass) {
      passes++;
      super.schedule(pass);
    }

    @Override
    Optional<Host> choose(SchedulingPass pass, Instance instance) {
      List<Host> hosts = withRoom(pass, instance).sorted(Comparator.comparing(Host::id)).toList();
      if (hosts.isEmpty()) {
        return Optional.empty();
      }
      last = hosts.get(passes % 2 == 0 ? 0 : hosts.size() - 1);
      return Optional.of(last);
    }

    @Override
    public Optional<PolicyMemory> memory() {
      return Optional.of(memory);
    }
  }
}
