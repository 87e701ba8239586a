package dev.berth.policies.baselines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Domain;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.GroupSpec;
import dev.berth.core.Scheduler;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.Readers;
import dev.berth.traces.prepare.GoogleLikeSnapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinPackingTest {

  private static final Path PUBLISHED = Path.of("../../shared/data/google2011-borgsim");

  private final Scheduler scheduler = scheduler(1);

  private static Scheduler scheduler(long seed) {
    return Scheduler.builder()
        .policy("bin-packing")
        .serviceClasses(ServiceClasses.goldSilverBronze(Duration.ZERO))
        .seed(seed)
        .build();
  }

  /** Each small request has several places, but together they need all of host a. */
  @Test
  void demandOfAllThatNeedAHostDecides() {
    add("a", 4, "zone", "a");
    add("b", 4, "zone", "b");
    submit(request("large-1", 2).build());
    submit(request("large-2", 2).build());
    for (int i = 1; i <= 4; i++) {
      submit(request("small-" + i, 1 - i / 100.0).constraint(zones("a")).build());
    }

    scheduler.schedule(0);

    assertThat(waiting()).isEmpty();
  }

  /** The three have room only if the second leaves host y to one of the others. */
  @Test
  void requestsMoveOnWithinAPassUntilAllHaveRoom() {
    for (String each : List.of("x", "y", "z")) {
      add(each, 3, "zone", each);
    }
    submit(request("r1", 3).constraint(zones("x", "y")).build());
    submit(request("r2", 3).constraint(zones("y", "z")).build());
    submit(request("r3", 2.9).constraint(zones("x", "y")).build());

    scheduler.schedule(0);

    assertThat(waiting()).isEmpty();
  }

  /** Hosts have room for all, but the requests of the job need one each. */
  @Test
  void requestsMoveOnForAntiAffinity() {
    for (String each : List.of("x", "y", "z")) {
      add(each, 8, "zone", each);
    }
    submit(apart("r1", 1).constraint(zones("x", "y")).build());
    submit(apart("r2", 1).constraint(zones("y", "z")).build());
    submit(apart("r3", 0.9).constraint(zones("x", "y")).build());

    scheduler.schedule(0);

    assertThat(waiting()).isEmpty();
  }

  /** Both fit on the smaller host, which comes first. */
  @Test
  void refusedRequestsGoToAnotherHost() {
    add("a", 4, "zone", "a");
    add("b", 8, "zone", "b");
    for (String each : List.of("r1", "r2")) {
      PlacementSpec spread =
          PlacementSpec.builder().spread(Peers.ofJob("web"), Domain.of("zone"), 1).build();
      submit(request(each, 2).job("web").placement(spread).build());
    }

    scheduler.schedule(0);

    assertThat(waiting()).isEmpty();
  }

  @Test
  void instancesOnHostsNeverMove() {
    add("a", 4, "zone", "a");
    add("b", 4, "zone", "b");
    submit(request("first", 3).build());
    scheduler.schedule(0);
    Host chosen = scheduler.instance("first").orElseThrow().host().orElseThrow();
    String zone = chosen.attribute("zone").orElseThrow();
    submit(request("second", 3).constraint(new Constraint.Equal("zone", zone)).build());

    scheduler.schedule(1);

    assertThat(waiting()).containsExactly("second");
    assertThat(scheduler.instance("first").orElseThrow().host()).contains(chosen);
  }

  @Test
  void moreImportantRequestsComeFirst() {
    add("h", 4, "zone", "a");
    submit(
        Request.builder("bronze", ServiceClasses.BRONZE)
            .demand(Resources.of(Dimension.CPU, 4 * Dimension.CPU.unitsPerWhole()))
            .constraint(new Constraint.Equal("zone", "a"))
            .build());
    submit(request("gold", 1).build());

    scheduler.schedule(0);

    assertThat(waiting()).containsExactly("bronze");
  }

  /** The memory of the first host would be full, and 7 of its 8 cores idle. */
  @Test
  void noDimensionStaysIdleBesideAFullOne() {
    add("a", 8, 4);
    add("b", 4, 16);
    submit(request("r", 1, 4));

    scheduler.schedule(0);

    assertThat(hosts()).containsOnly("b");
  }

  @Test
  void aDimensionThatNothingUsesDoesNotMatter() {
    for (String each : List.of("a", "b", "c", "d")) {
      add(each, 4, 16);
    }
    for (int i = 1; i <= 4; i++) {
      submit(request("r" + i, 1).build());
    }

    scheduler.schedule(0);

    assertThat(hosts()).hasSize(1);
  }

  /** In order of admission, the first two requests can take zone a, which the group needs. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void aGroupThatWaitsGetsATurnAsAWhole(long seed) {
    Scheduler seeded = scheduler(seed);
    for (String each : List.of("a", "b")) {
      seeded.addHost(host(each, 4, Map.of("zone", each)), 0);
    }
    seeded.submit(request("first", 2).build(), 0);
    seeded.submit(request("second", 2).build(), 0);
    seeded.submit(
        new GroupSpec(
            "g",
            List.of(
                request("m1", 2).constraint(zones("a")).build(),
                request("m2", 2).constraint(zones("a")).build())),
        0);

    seeded.schedule(0);

    assertThat(seeded.pendingCount()).isZero();
  }

  @Test
  void leavesTheLeastPossible() {
    for (long seed = 101; seed <= 105; seed++) {
      GoogleLikeSnapshot snapshot = GoogleLikeSnapshot.of(300, 0.75, ServiceClasses.GOLD, seed);

      assertThat(left(snapshot.hosts().hosts(), snapshot.requests()))
          .as("seed %s", seed)
          .isEqualTo(snapshot.unplaceable());
    }
  }

  /** 191 requests match no host, and three jobs have 45 more than matching hosts. */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 15})
  void leavesTheLeastPossibleOfThePublishedSnapshots(int number) {
    Path requests = PUBLISHED.resolve("prod-tasks-time-%s.csv.gz".formatted(number));
    assumeTrue(Files.exists(requests), () -> "SKIPPED: there is no " + requests);
    List<HostSpec> hosts =
        Readers.infrastructure(PUBLISHED.resolve("machines-12477-attributes.txt.gz").toString())
            .hosts();
    List<Request> all = new ArrayList<>();
    try (ArrivalSource source =
        Readers.workload(requests.toString(), ServiceClasses.goldSilverBronze(Duration.ZERO))
            .open()) {
      source.forEachRemaining((Arrival each) -> all.add(each.request()));
    }

    assertThat(left(hosts, all)).isEqualTo(191 + 45);
  }

  private static int left(List<HostSpec> hosts, List<Request> requests) {
    BinPackingTest fresh = new BinPackingTest();
    hosts.forEach(each -> fresh.scheduler.addHost(each, 0));
    requests.forEach(fresh::submit);
    fresh.scheduler.schedule(0);
    return fresh.waiting().size();
  }

  private void add(String id, long cores, String attribute, String value) {
    scheduler.addHost(host(id, cores, Map.of(attribute, value)), 0);
  }

  private static HostSpec host(String id, long cores, Map<String, String> attributes) {
    Resources capacity = Resources.of(Dimension.CPU, cores * Dimension.CPU.unitsPerWhole());
    return new HostSpec(id, capacity, attributes);
  }

  private void add(String id, long cores, long gigabytes) {
    scheduler.addHost(new HostSpec(id, amounts(cores, gigabytes), Map.of()), 0);
  }

  private static Request request(String id, long cores, long gigabytes) {
    return Request.builder(id, ServiceClasses.GOLD).demand(amounts(cores, gigabytes)).build();
  }

  private static Resources amounts(long cores, long gigabytes) {
    return Resources.of(
        Dimension.CPU,
        cores * Dimension.CPU.unitsPerWhole(),
        Dimension.MEMORY,
        gigabytes * Dimension.MEMORY.unitsPerWhole());
  }

  private static Request.Builder request(String id, double cores) {
    long units = Math.round(cores * Dimension.CPU.unitsPerWhole());
    return Request.builder(id, ServiceClasses.GOLD).demand(Resources.of(Dimension.CPU, units));
  }

  private static Request.Builder apart(String id, double cores) {
    return request(id, cores).job("job").antiAffinity(true);
  }

  private static Constraint zones(String... zones) {
    return new Constraint.In("zone", Set.of(zones));
  }

  private void submit(Request request) {
    scheduler.submit(request, scheduler.now());
  }

  private Set<String> hosts() {
    return scheduler.instances().stream()
        .flatMap(each -> each.host().stream())
        .map(Host::id)
        .collect(Collectors.toSet());
  }

  private List<String> waiting() {
    return scheduler.instances().stream()
        .filter(each -> each.host().isEmpty())
        .map(Instance::id)
        .toList();
  }
}
