package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Domain;
import dev.berth.api.HostSpec;
import dev.berth.api.LimitUse;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.Peers;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.PlacementRule;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.api.batch.GroupSpec;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.arbitraries.LongArbitrary;

/** Written files read back unchanged. */
class WritersTest {

  private static final long CENTURY = 36_500L * 86_400 * 1_000_000_000;
  private static final Dimension GPU = new Dimension("gpu", 1_000_000);

  @Property(tries = 300)
  void jsonLinesRoundTripsEveryWorkload(@ForAll("anyArrivals") List<Arrival> arrivals) {
    assertThat(describe(arrivals(readAgain(workload(arrivals), "jsonl"))))
        .isEqualTo(describe(arrivals));
  }

  @Property(tries = 300)
  void csvRoundTripsRepresentableWorkloads(@ForAll("plainArrivals") List<Arrival> arrivals) {
    assertThat(describe(arrivals(readAgain(workload(arrivals), "csv"))))
        .isEqualTo(describe(arrivals));
  }

  @Property(tries = 300)
  void csvRepresentsAWorkloadOrRefusesIt(@ForAll("anyArrivals") List<Arrival> arrivals) {
    Workload again;
    try {
      again = readAgain(workload(arrivals), "csv");
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageContaining("jsonl can");
      return;
    }
    assertThat(describe(arrivals(again))).isEqualTo(describe(arrivals));
  }

  @Property(tries = 300)
  void jsonLinesRoundTripsEveryInfrastructure(@ForAll("hosts") List<HostSpec> hosts) {
    assertThat(hostsAgain(hosts, "jsonl")).isEqualTo(hosts);
  }

  @Property(tries = 300)
  void csvRepresentsAnInfrastructureOrRefusesIt(@ForAll("hosts") List<HostSpec> hosts) {
    List<HostSpec> again;
    try {
      again = hostsAgain(hosts, "csv");
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageContaining("jsonl can");
      return;
    }
    assertThat(again).isEqualTo(hosts);
  }

  @Property(tries = 300)
  void jsonLinesRoundTripsAllHostEvents(@ForAll("events") List<HostEvent> events) {
    assertThat(eventsAgain(events, "jsonl")).isEqualTo(events);
  }

  @Property(tries = 300)
  void csvRepresentsHostEventsOrRefusesThem(@ForAll("events") List<HostEvent> events) {
    List<HostEvent> again;
    try {
      again = eventsAgain(events, "csv");
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageContaining("jsonl can");
      return;
    }
    assertThat(again).isEqualTo(events);
  }

  @Property(tries = 300)
  void csvRoundTripsPlainHostEvents(@ForAll("plainEvents") List<HostEvent> events) {
    assertThat(eventsAgain(events, "csv")).isEqualTo(events);
  }

  @Example
  void refusesValuesThatNoFileCanRepresent() {
    assertRefused(
        request("r1").demand(Resources.of(new Dimension("gpu", 8), 1)),
        "request r1: dimension gpu has 8 units in a whole, which files cannot represent.");
    assertRefused(
        request("r1").deadline(Duration.ofDays(40_000)),
        "request r1: deadline exceeds a century, which is the limit for reading.");
    assertRefused(
        request("r\uD800"),
        "request r\uD800: id contains an unpaired surrogate, which UTF-8 cannot represent.");
    assertThatThrownBy(() -> write(workload(List.of()), "xml"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("format was \"xml\", must be one of csv, jsonl.");
  }

  private static void assertRefused(Request.Builder request, String message) {
    Workload workload = workload(List.of(new Arrival(0, request.build(), 1)));
    for (String format : Writers.formats()) {
      assertThatThrownBy(() -> write(workload, format))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(message);
    }
  }

  private static Request.Builder request(String id) {
    return Request.builder(id, "gold").demand(Resources.none());
  }

  // ---- Writing and reading

  private static Workload workload(List<Arrival> arrivals) {
    return Workload.of("w", ServiceClasses.goldSilverBronze(Duration.ZERO), arrivals);
  }

  private static String write(Workload workload, String format) {
    StringBuilder text = new StringBuilder();
    try {
      Writers.workload(workload, format, text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  private static Workload readAgain(Workload workload, String format) {
    Path file = file(write(workload, format));
    return Readers.workload(file.toString(), workload.serviceClasses());
  }

  private static List<HostSpec> hostsAgain(List<HostSpec> hosts, String format) {
    StringBuilder text = new StringBuilder();
    try {
      Writers.infrastructure(new Infrastructure("i", hosts), format, text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return Readers.infrastructure(file(text.toString()).toString()).hosts();
  }

  private static List<HostEvent> eventsAgain(List<HostEvent> events, String format) {
    StringBuilder text = new StringBuilder();
    try {
      Writers.hostEvents(events, format, text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return Readers.hostEvents(file(text.toString()).toString());
  }

  private static Path file(String text) {
    try {
      Path file = Files.createTempFile("berth", ".txt");
      file.toFile().deleteOnExit();
      return Files.writeString(file, text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static List<Arrival> arrivals(Workload workload) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }

  /** Describes a request in full, since requests have no equality. */
  private static List<List<Object>> describe(List<Arrival> arrivals) {
    return arrivals.stream().map(WritersTest::describe).toList();
  }

  private static List<Object> describe(Arrival arrival) {
    Request request = arrival.request();
    return List.of(
        arrival.at(),
        arrival.serviceTime(),
        arrival.behaviour(),
        arrival.bag(),
        arrival.group(),
        arrival.budget(),
        request.user(),
        request.labels(),
        request.id(),
        request.serviceClass(),
        request.demand(),
        request.guaranteed(),
        request.constraints(),
        request.placement(),
        request.job(),
        request.application(),
        request.antiAffinity(),
        request.estimatedRunTime(),
        request.deadline(),
        request.maxRunTime(),
        request.after(),
        request.moldability(),
        request.memoryProfile(),
        request.performanceMemoryProfile());
  }

  // ---- Generating

  private static final Arbitrary<String> WORDS =
      Arbitraries.of(
          "a", "zone", "r-1", "größe", "x,y", "say \"hi\"", "#1", "%", "-", "İ", "a b", "🚢");

  private static final Arbitrary<String> TEXTS =
      Arbitraries.oneOf(
          WORDS,
          Arbitraries.of(" a", "a\nb", "a=b", "x;y", "p|q", "<", "\t", "\uFEFFz", "null", "1e5"),
          Arbitraries.strings().withCharRange('!', '~').ofMinLength(1).ofMaxLength(8));

  private static LongArbitrary times(long least) {
    return Arbitraries.longs().between(least, CENTURY);
  }

  private static Arbitrary<Resources> amounts() {
    LongArbitrary amounts = Arbitraries.longs().between(0, (1L << 62) - 1);
    return Combinators.combine(amounts, amounts, amounts)
        .as(
            (cpu, memory, gpu) ->
                Resources.builder()
                    .put(Dimension.CPU, cpu)
                    .put(Dimension.MEMORY, memory)
                    .put(GPU, gpu % 3 == 0 ? 0 : gpu)
                    .build());
  }

  private static Arbitrary<Constraint> constraints(Arbitrary<String> texts) {
    Arbitrary<String> names = texts.map(name -> name.isBlank() ? "x" : name);
    return Arbitraries.oneOf(
        Combinators.combine(names, texts).as(Constraint.Equal::new),
        Combinators.combine(names, texts).as(Constraint.NotEqual::new),
        Combinators.combine(names, Arbitraries.longs()).as(Constraint.LessThan::new),
        Combinators.combine(names, Arbitraries.longs()).as(Constraint.GreaterThan::new),
        Combinators.combine(names, texts.set().ofMinSize(1).ofMaxSize(3))
            .as((name, values) -> new Constraint.In(name, Set.copyOf(values))),
        names.map(Constraint.Exists::new));
  }

  private static Arbitrary<PlacementSpec> placements(Arbitrary<String> texts) {
    return Combinators.combine(
            tolerations(texts).list().ofMaxSize(2),
            rules(texts).list().ofMaxSize(2),
            preferences(texts).list().ofMaxSize(2),
            limits(texts).list().uniqueElements(LimitUse::limit).ofMaxSize(2),
            Arbitraries.of(true, false))
        .as(
            (tolerations, rules, preferences, limits, empty) ->
                empty
                    ? PlacementSpec.NONE
                    : new PlacementSpec(tolerations, rules, preferences, limits));
  }

  private static Arbitrary<LimitUse> limits(Arbitrary<String> texts) {
    return Combinators.combine(
            notBlank(texts),
            Arbitraries.of(LimitUse.Kind.class),
            Arbitraries.longs().between(1, LimitUse.MOST))
        .as(LimitUse::new);
  }

  private static Arbitrary<Taint> taints(Arbitrary<String> texts) {
    return Combinators.combine(notBlank(texts), texts, Arbitraries.of(Taint.Effect.class), times(0))
        .as(
            (key, value, effect, grace) ->
                new Taint(
                    key,
                    value.equals("a") ? "" : value,
                    effect,
                    Duration.ofNanos(effect == Taint.Effect.LEAVE ? grace : 0)));
  }

  private static Arbitrary<Toleration> tolerations(Arbitrary<String> texts) {
    return Combinators.combine(
            notBlank(texts).optional(),
            texts.optional(),
            Arbitraries.of(Taint.Effect.class).optional(),
            times(0).map(Duration::ofNanos).optional())
        .as(
            (key, value, effect, atMost) ->
                new Toleration(key, key.isEmpty() ? Optional.empty() : value, effect, atMost));
  }

  private static Arbitrary<Peers> peers(Arbitrary<String> texts) {
    return Combinators.combine(notBlank(texts), texts, Arbitraries.of(true, false))
        .as((name, value, job) -> job ? Peers.ofJob(name) : Peers.labelled(name, value));
  }

  private static Arbitrary<Domain> domains(Arbitrary<String> texts) {
    return Arbitraries.oneOf(Arbitraries.just(Domain.HOST), notBlank(texts).map(Domain::of));
  }

  private static Arbitrary<PlacementRule> rules(Arbitrary<String> texts) {
    return Combinators.combine(
            peers(texts), domains(texts), Arbitraries.of(0, 1, 2), Arbitraries.of(1, 7, 1 << 30))
        .as(
            (peers, domain, kind, skew) ->
                switch (kind) {
                  case 0 -> new PlacementRule.Near(peers, domain);
                  case 1 -> new PlacementRule.Apart(peers, domain);
                  default -> new PlacementRule.Spread(peers, domain, skew);
                });
  }

  private static Arbitrary<Preference> preferences(Arbitrary<String> texts) {
    return Combinators.combine(
            peers(texts),
            domains(texts),
            constraints(texts),
            Arbitraries.of(0, 1, 2),
            Arbitraries.of(1, 1000))
        .as(
            (peers, domain, constraint, kind, weight) ->
                switch (kind) {
                  case 0 -> new Preference.Near(peers, domain, weight);
                  case 1 -> new Preference.Apart(peers, domain, weight);
                  default -> new Preference.OnHost(constraint, weight);
                });
  }

  private static Arbitrary<String> notBlank(Arbitrary<String> texts) {
    return texts.map(each -> each.isBlank() ? "x" : each);
  }

  private static Arbitrary<MemoryProfile> profiles() {
    return Combinators.combine(
            times(1).set().ofMaxSize(3), Arbitraries.longs().between(0, 1L << 61))
        .as(
            (from, need) -> {
              List<MemoryProfile.Step> steps = new ArrayList<>();
              steps.add(new MemoryProfile.Step(0, need));
              from.stream()
                  .sorted()
                  .forEach(each -> steps.add(new MemoryProfile.Step(each, each % (need + 1))));
              return MemoryProfile.of(steps);
            });
  }

  private static Arbitrary<PerformanceMemoryProfile> performances() {
    return Combinators.combine(Arbitraries.longs().between(0, 1L << 60), times(2))
        .as(
            (memory, time) ->
                PerformanceMemoryProfile.of(
                    List.of(
                        new PerformanceMemoryProfile.Point(memory, time),
                        new PerformanceMemoryProfile.Point(memory + 1, time - 1))));
  }

  private static Arbitrary<Moldability> moldabilities() {
    return Combinators.combine(
            Arbitraries.doubles().between(0.0001, 0.9999).ofScale(15),
            Arbitraries.doubles().between(1, 1000).ofScale(12))
        .as(
            (share, factor) ->
                new Moldability(
                    List.of(new Moldability.Point(1, 1), new Moldability.Point(share, factor))));
  }

  private record Plain(
      Optional<String> job,
      Optional<String> application,
      Optional<String> user,
      Optional<String> bag,
      Optional<Long> estimate,
      Optional<Long> deadline,
      Optional<Long> timeToLive,
      Conditions conditions) {}

  private record Conditions(List<Constraint> constraints, PlacementSpec placement) {}

  private record Rich(
      Optional<MemoryProfile> profile,
      Optional<PerformanceMemoryProfile> performance,
      Optional<Moldability> moldability,
      Optional<MemoryProfile> really,
      boolean guaranteed) {}

  private static final Rich NOT_RICH =
      new Rich(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);

  @Provide
  Arbitrary<List<Arrival>> plainArrivals() {
    return arrivals(WORDS, Arbitraries.just(NOT_RICH), WORDS.filter(each -> !each.contains(" ")));
  }

  @Provide
  Arbitrary<List<Arrival>> anyArrivals() {
    Arbitrary<Rich> rich =
        Combinators.combine(
                profiles().optional(),
                performances().optional(),
                moldabilities().optional(),
                profiles().optional(),
                Arbitraries.of(true, false))
            .as(Rich::new);
    return arrivals(TEXTS, Arbitraries.oneOf(Arbitraries.just(NOT_RICH), rich), TEXTS);
  }

  private static Arbitrary<List<Arrival>> arrivals(
      Arbitrary<String> texts, Arbitrary<Rich> riches, Arbitrary<String> words) {
    Arbitrary<String> names = texts.map(each -> each.isBlank() ? "x" : each);
    Arbitrary<Optional<Long>> durations = times(1).optional();
    Arbitrary<Plain> plain =
        Combinators.combine(
                names.optional(),
                names.optional(),
                names.optional(),
                names.optional(),
                durations,
                durations,
                durations,
                Combinators.combine(constraints(words).list().ofMaxSize(3), placements(words))
                    .as(Conditions::new))
            .as(Plain::new);
    return Combinators.combine(times(0), times(1), names, amounts(), plain, riches)
        .as(WritersTest::arrival)
        .list()
        .ofMinSize(1)
        .ofMaxSize(5)
        .map(WritersTest::inOrder);
  }

  private static Arrival arrival(
      long at, long serviceTime, String id, Resources demand, Plain plain, Rich rich) {
    Request.Builder builder = Request.builder(id, "silver").demand(demand);
    plain.job.ifPresent(job -> builder.job(job).antiAffinity(at % 2 == 0));
    plain.application.ifPresent(builder::application);
    plain.user.ifPresent(user -> builder.user(user).label("owner", user).label("empty", ""));
    plain.estimate.ifPresent(nanos -> builder.estimatedRunTime(Duration.ofNanos(nanos)));
    plain.deadline.ifPresent(
        nanos -> builder.deadline(Duration.ofNanos(nanos)).after("before " + id).after("x" + id));
    plain.timeToLive.ifPresent(nanos -> builder.maxRunTime(Duration.ofNanos(nanos)));
    plain.conditions.constraints.forEach(builder::constraint);
    builder.placement(plain.conditions.placement);
    rich.profile.ifPresent(builder::memoryProfile);
    rich.performance.ifPresent(builder::performanceMemoryProfile);
    rich.moldability.ifPresent(builder::moldability);
    if (rich.guaranteed) {
      builder.guaranteed(Resources.of(Dimension.CPU, demand.amount(Dimension.CPU) / 2));
    }
    Request request = builder.build();
    return new Arrival(
        at,
        request,
        serviceTime,
        rich.really.isPresent()
            ? new ActualBehaviour(rich.really, Optional.empty(), at % 2 == 0)
            : ActualBehaviour.asSaid(request),
        plain.bag.map(bag -> new Arrival.InBag(bag, plain.timeToLive.map(Duration::ofNanos))),
        plain.bag.isPresent() ? Optional.empty() : group(plain, at, serviceTime),
        plain.job.isPresent() ? budget(at, serviceTime) : Optional.empty());
  }

  private static Optional<DisruptionBudget> budget(long at, long serviceTime) {
    int members = (int) (serviceTime % 1_000);
    return switch ((int) (at % 3)) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(DisruptionBudget.maxDown(members));
      default -> Optional.of(DisruptionBudget.minUp(members));
    };
  }

  private static Optional<Arrival.InGroup> group(Plain plain, long at, long serviceTime) {
    return plain.user.map(
        name ->
            new Arrival.InGroup(
                name,
                at % 3 == 0 ? OptionalInt.empty() : OptionalInt.of(1 + (int) (serviceTime % 1_000)),
                at % 2 == 0 ? GroupSpec.OnLoss.RESTORE : GroupSpec.OnLoss.RELEASE));
  }

  private static List<Arrival> inOrder(List<Arrival> arrivals) {
    Set<String> ids = new HashSet<>();
    return arrivals.stream()
        .filter(each -> ids.add(each.request().id()))
        .sorted(Comparator.comparingLong(Arrival::at))
        .toList();
  }

  @Provide
  Arbitrary<List<HostEvent>> events() {
    return events(TEXTS);
  }

  @Provide
  Arbitrary<List<HostEvent>> plainEvents() {
    return events(WORDS);
  }

  private static Arbitrary<List<HostEvent>> events(Arbitrary<String> texts) {
    Arbitrary<HostEvent> tainted =
        Combinators.combine(
                times(0),
                notBlank(texts),
                taints(texts)
                    .list()
                    .ofMaxSize(2)
                    .uniqueElements(each -> each.effect() + each.key()))
            .as(HostEvent.Tainted::new);
    Arbitrary<HostEvent> limits =
        Combinators.combine(
                times(0), notBlank(texts), Arbitraries.longs().between(0, Long.MAX_VALUE))
            .as(HostEvent.LimitSet::new);
    Arbitrary<HostEvent> fails =
        Combinators.combine(times(0), notBlank(texts)).as(HostEvent.Fails::new);
    return Arbitraries.oneOf(tainted, limits, fails)
        .list()
        .ofMinSize(1)
        .ofMaxSize(5)
        .map(WritersTest::withRecoveries);
  }

  /** Each host fails and recovers in turn. */
  private static List<HostEvent> withRecoveries(List<HostEvent> events) {
    Set<String> down = new HashSet<>();
    return events.stream()
        .sorted(Comparator.comparingLong(HostEvent::at))
        .map(
            each -> {
              if (!(each instanceof HostEvent.Fails fails)) {
                return each;
              } else if (down.remove(fails.hostId())) {
                return new HostEvent.Recovers(fails.at(), fails.hostId());
              }
              down.add(fails.hostId());
              return each;
            })
        .toList();
  }

  @Provide
  Arbitrary<List<HostSpec>> hosts() {
    Arbitrary<String> names = TEXTS.map(each -> each.isBlank() ? "x" : each);
    return Combinators.combine(
            names,
            amounts(),
            Arbitraries.maps(names, TEXTS).ofMaxSize(3),
            Arbitraries.of(true, false),
            taints(Arbitraries.oneOf(WORDS, WORDS, TEXTS))
                .list()
                .ofMaxSize(2)
                .uniqueElements(each -> each.effect() + each.key()))
        .as(HostSpec::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .uniqueElements(HostSpec::id);
  }
}
