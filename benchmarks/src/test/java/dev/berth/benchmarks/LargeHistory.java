package dev.berth.benchmarks;

import dev.berth.api.Constraint;
import dev.berth.api.HostSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.ServiceClass;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.RequestOptions;
import dev.berth.testkit.history.RequestShape;
import dev.berth.testkit.history.Scale;
import dev.berth.testkit.history.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Draws large clusters whose queues are contended. */
final class LargeHistory {

  private static final List<Constraint> CONSTRAINTS =
      List.of(
          new Constraint.Equal("zone", "a"),
          new Constraint.NotEqual("zone", "b"),
          new Constraint.In("zone", Set.of("b", "c")),
          new Constraint.GreaterThan("level", 1),
          new Constraint.LessThan("level", 3),
          new Constraint.Exists("level"));

  private final SplittableRandom random;
  private final List<Step> steps = new ArrayList<>();
  private final List<RequestShape> kinds = new ArrayList<>();
  private final List<HostSpec> hosts = new ArrayList<>();
  private final int size;
  private final Scale scale;

  private LargeHistory(long seed) {
    random = new SplittableRandom(seed);
    size = random.nextInt(65, 301);
    scale = new Scale(random.nextInt(1, 4), Scale.WHOLE);
  }

  static History history(long seed) {
    return new LargeHistory(seed).draw();
  }

  private History draw() {
    boolean shared = chance(15);
    int machines = random.nextInt(1, 4);
    for (int i = 1; i <= size; i++) {
      int machine = random.nextInt(machines);
      Map<String, String> attributes =
          chance(20)
              ? Map.of()
              : Map.of("zone", pick("a", "b", "c"), "level", pick("1", "2", "3", "high"));
      List<Integer> capacity = List.of(6 + 2 * machine, 8, 10 - machine, 8);
      hosts.add(new HostSpec("h" + i, scale.resources(capacity), attributes, shared));
    }
    int count = random.nextInt(2, 9);
    for (int i = 0; i < count; i++) {
      kinds.add(kind());
    }
    int rounds = random.nextInt(8, 15);
    for (int round = 0; round < rounds; round++) {
      round(round);
    }
    double limit = chance(50) ? 1 : 0.2;
    List<ServiceClass> classes =
        List.of(
            ServiceClass.builder("gold").slo(1).importance(1).build(),
            ServiceClass.builder("silver").slo(0.9).importance(2).build(),
            ServiceClass.builder("bronze").slo(0.5).preemptionOverheadLimit(limit).build());
    PoolSpec pool = new PoolSpec("pool", scale.resources(alike(8)), random.nextInt(5, 40));
    List<PoolSpec> pools = chance(40) ? List.of(pool) : List.of();
    int present = chance(50) ? size : random.nextInt(65, size + 1);
    return new History(
        random.nextLong(), 0, classes, scale, List.copyOf(hosts), present, pools, steps);
  }

  /** Requests arrive, a pass, instances end, a pass. */
  private void round(int round) {
    int come = round == 0 ? 3 * size : random.nextInt(chance(30) ? size : 20);
    while (come > 0) {
      RequestShape kind = kinds.get(random.nextInt(kinds.size()));
      List<RequestShape> alike = Collections.nCopies(1 + random.nextInt(Math.min(come, 30)), kind);
      come -= alike.size();
      if (chance(5)) {
        steps.add(new Step.SubmitBag(alike, Optional.of(Duration.ofMinutes(5))));
      } else {
        alike.forEach(each -> steps.add(new Step.Submit(each)));
      }
    }
    steps.add(new Step.Pass());
    some(20, 5, pick -> new Step.AllHostsUp());
    steps.add(new Step.Elapse(Duration.ofSeconds(random.nextInt(4))));
    some(90, 2, pick -> new Step.StartAll());
    some(10, 20, Step.Start::new);
    some(30, 20, pick -> new Step.ReportUsage(pick, pick % 3 > 0 ? 8 : 3, alike(pick % 3)));
    some(30, 20, pick -> new Step.ReportLoad(pick, pick % 20));
    steps.add(new Step.Elapse(Duration.ofSeconds(random.nextInt(chance(20) ? 600 : 30))));
    steps.add(new Step.Pass());
    some(70, size / 2, pick -> new Step.Complete(pick, Optional.of(Duration.ofSeconds(9))));
    some(40, 10, Step.Fail::new);
    some(30, 10, Step.Cancel::new);
    some(40, 6, Step.RemoveHost::new);
    some(40, 6, Step.AddHost::new);
    some(10, 6, pick -> new Step.AddOtherHost(pick, pick / 7));
    some(5, 2, Step.CancelBag::new);
    some(10, 3, Step.HostGone::new);
    some(10, 2, pick -> new Step.OfferPool(pick, pick % 30));
    steps.add(new Step.Pass());
  }

  private void some(int percent, int most, IntFunction<Step> step) {
    for (int left = chance(percent) ? random.nextInt(1, most + 1) : 0; left > 0; left--) {
      steps.add(step.apply(random.nextInt(1 << 20)));
    }
  }

  private RequestShape kind() {
    int most = chance(15) ? 9 : 4;
    List<Integer> demand =
        Stream.generate(() -> random.nextInt(1, most)).limit(Scale.DIMENSIONS.size()).toList();
    List<Constraint> constraints =
        chance(35) ? List.of(CONSTRAINTS.get(random.nextInt(CONSTRAINTS.size()))) : List.of();
    RequestOptions terms =
        chance(60)
            ? terms(
                chance(50) ? List.of(8, random.nextInt(8), 8, 8) : List.of(),
                random.nextInt(3) * 40,
                random.nextInt(3) * 60,
                chance(40))
            : RequestOptions.NONE;
    int job = chance(30) ? random.nextInt(1, 4) : 0;
    return new RequestShape(
        random.nextInt(3), demand, constraints, job, chance(70), chance(10), terms);
  }

  static RequestOptions terms(List<Integer> pinned, int estimate, int deadline, boolean moldable) {
    return new RequestOptions(
        pinned, seconds(estimate), seconds(deadline), moldable, List.of(), false, estimate / 40);
  }

  private static Optional<Duration> seconds(int count) {
    return Optional.of(Duration.ofSeconds(count)).filter(each -> !each.isZero());
  }

  static RequestShape with(RequestShape it, RequestOptions terms) {
    return new RequestShape(
        it.serviceClass(),
        it.demand(),
        it.constraints(),
        it.job(),
        it.antiAffinity(),
        it.reuseId(),
        terms);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String pick(String... some) {
    return some[random.nextInt(some.length)];
  }

  static List<Integer> alike(int amount) {
    return Collections.nCopies(Scale.DIMENSIONS.size(), amount);
  }
}
