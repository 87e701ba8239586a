package dev.berth.testkit.history;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.core.event.Event;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import java.math.BigInteger;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A fleet that has what a ledger says, but for some drifts. */
final class DriftingFleet {

  private static final BigInteger TOO_MANY = BigInteger.valueOf(Long.MAX_VALUE);
  private static final List<InstanceState> STATES =
      List.of(
          InstanceState.RUNNING,
          InstanceState.STARTING,
          InstanceState.PAUSED,
          InstanceState.SUSPENDED);

  private final History history;
  private final ReferenceCluster cluster;
  private final long now;
  private final Map<String, ObservedHost> hosts = new LinkedHashMap<>();
  private final Map<String, ObservedInstance> instances = new LinkedHashMap<>();
  private final Set<String> underWay = new HashSet<>();
  private final Set<String> ended = new TreeSet<>();
  private final Map<String, Adoption> adopted = new TreeMap<>();

  /** A fleet that has exactly what the ledger says, as far as it can reach it. */
  DriftingFleet(History history, ReferenceCluster cluster, long now) {
    this.history = history;
    this.cluster = cluster;
    this.now = now;
    for (HostSpec each : cluster.hosts()) {
      hosts.put(each.id(), new ObservedHost(each, cluster.foreign(each.id())));
    }
    for (ReferenceInstance each : cluster.instances()) {
      each.hostId()
          .filter(host -> !cluster.host(host).orElseThrow().isUnreachable())
          .map(host -> new ObservedInstance(each.id(), host, each.state()))
          .ifPresent(it -> instances.put(each.id(), inAttempt(it, each.presentAttempt())));
    }
  }

  /** No plan began an attempt of an instance that was only observed. */
  private static ObservedInstance inAttempt(ObservedInstance it, int attempt) {
    return attempt == 0 ? it : it.inAttempt(attempt);
  }

  /** Returns the report of the fleet; empty if it has more than can be counted. */
  Optional<Event.Reconciled> report() {
    Observation observed =
        new Observation(List.copyOf(hosts.values()), List.copyOf(instances.values()), underWay);
    return hosts.values().stream().allMatch(this::isCountable)
        ? Optional.of(
            new Event.Reconciled(observed, List.copyOf(adopted.values()), List.copyOf(ended)))
        : Optional.empty();
  }

  // ---- Drifts of instances

  /** One of the known instances on hosts is gone, or is otherwise than believed. */
  void drift(Drift drift) {
    List<ObservedInstance> known =
        instances.values().stream().filter(it -> cluster.instance(it.id()).isPresent()).toList();
    HistoryPlayer.pick(drift.pick(), known).ifPresent(it -> drift(it, drift));
  }

  private void drift(ObservedInstance it, Drift drift) {
    switch (drift.kind()) {
      case GONE -> instances.remove(it.id());
      case ENDED -> {
        instances.remove(it.id());
        ended.add(it.id());
      }
      case UNDER_WAY -> {
        instances.remove(it.id());
        underWay.add(it.id());
      }
      case ELSEWHERE ->
          host(drift.other())
              .ifPresent(host -> observe(it, host, it.state(), it.attempt(), drift.ago()));
      case IN_OTHER_STATE ->
          observe(
              it, it.host(), STATES.get(drift.other() % STATES.size()), it.attempt(), drift.ago());
      case IN_OTHER_ATTEMPT ->
          observe(it, it.host(), it.state(), attempt(it, drift.other()), drift.ago());
      default -> throw new IllegalArgumentException(drift + " is of no instance on a host.");
    }
  }

  /** Returns the attempt before or after; or that it is unknown. */
  private static OptionalInt attempt(ObservedInstance it, int other) {
    int present = it.attempt().orElse(1);
    return switch (other % 3) {
      case 0 -> OptionalInt.of(Math.max(1, present - 1));
      case 1 -> OptionalInt.of(present + 1);
      default -> OptionalInt.empty();
    };
  }

  /** A pending instance runs. */
  void runs(Drift drift) {
    Optional<String> host = host(drift.other());
    HistoryPlayer.pick(drift.pick(), cluster.instances(InstanceState.PENDING))
        .filter(each -> host.isPresent())
        .map(each -> new ObservedInstance(each.id(), host.get(), InstanceState.RUNNING))
        .ifPresent(it -> observe(it, host.get(), it.state(), OptionalInt.empty(), drift.ago()));
  }

  /** A request that no scheduler knows is served; it is adopted. */
  void adopts(Drift drift, Request request) {
    String id = request.id();
    Optional<String> host = host(drift.pick());
    if (host.isEmpty() || instances.containsKey(id) || cluster.instance(id).isPresent()) {
      return;
    }
    long since = before(drift.ago());
    long admittedAt = Math.max(history.epoch(), since - drift.ago().toNanos());
    InstanceState state = STATES.get(drift.other() % STATES.size());
    observe(
        new ObservedInstance(id, host.get(), state),
        host.get(),
        state,
        OptionalInt.empty(),
        drift.ago());
    long life = since - admittedAt;
    int numbers = Math.floorMod(life, 3);
    dev.berth.api.History before =
        new dev.berth.api.History(
            admittedAt,
            Duration.ofNanos(life / 2),
            Duration.ofNanos(life / 3),
            numbers,
            numbers / 2,
            numbers,
            numbers,
            numbers > 0);
    adopted.put(id, new Adoption(request, before));
  }

  /** Something unknown holds a little on a host. */
  void isForeign(Drift drift) {
    host(drift.pick())
        .map(host -> new ObservedInstance("x" + drift.other(), host, InstanceState.RUNNING))
        .ifPresent(it -> instances.put(it.id(), it.holding(little(drift.other()))));
  }

  private void observe(
      ObservedInstance it, String host, InstanceState state, OptionalInt attempt, Duration ago) {
    OptionalLong since = ago.isZero() ? OptionalLong.empty() : OptionalLong.of(before(ago));
    instances.put(it.id(), new ObservedInstance(it.id(), host, state, attempt, since, it.holds()));
  }

  private long before(Duration ago) {
    return Math.max(history.epoch(), now - ago.toNanos());
  }

  // ---- Drifts of hosts

  /** A host is gone, with its instances. */
  void hostGone(Drift drift) {
    host(drift.pick())
        .ifPresent(
            id -> {
              hosts.remove(id);
              instances.values().removeIf(each -> each.host().equals(id));
            });
  }

  /** A host is up. */
  void hostAppeared(HostSpec spec) {
    hosts.putIfAbsent(spec.id(), new ObservedHost(spec));
  }

  /** A host that is up is otherwise than believed. */
  void hostChanged(HostSpec spec) {
    hosts.computeIfPresent(spec.id(), (id, seen) -> new ObservedHost(spec, seen.foreign()));
  }

  /** Others hold other amounts on a host. */
  void foreignLoad(Drift drift) {
    Resources load = little(drift.other());
    host(drift.pick())
        .ifPresent(
            id -> hosts.computeIfPresent(id, (same, seen) -> new ObservedHost(seen.spec(), load)));
  }

  private Optional<String> host(int pick) {
    return HistoryPlayer.pick(pick, List.copyOf(hosts.keySet()));
  }

  private Resources little(int number) {
    List<Integer> amounts =
        IntStream.range(0, Scale.DIMENSIONS.size()).mapToObj(d -> (number >> d) % 2).toList();
    return history.scale().resources(amounts);
  }

  // ---- Numbers

  /**
   * Returns whether all that a host may hold while it is corrected can be added up, so that a
   * scheduler must accept it.
   */
  private boolean isCountable(ObservedHost host) {
    String id = host.spec().id();
    Set<String> holders = new HashSet<>();
    instances.values().stream()
        .filter(it -> it.host().equals(id))
        .forEach(it -> holders.add(it.id()));
    cluster.instances().stream()
        .filter(it -> it.hostId().equals(Optional.of(id)))
        .forEach(it -> holders.add(it.id()));
    return Scale.DIMENSIONS.stream()
        .allMatch(
            each ->
                Stream.concat(
                            Stream.of(host.foreign(), cluster.foreign(id)),
                            holders.stream().flatMap(this::amounts))
                        .map(it -> BigInteger.valueOf(it.amount(each)))
                        .reduce(BigInteger.ZERO, BigInteger::add)
                        .compareTo(TOO_MANY)
                    < 0);
  }

  /** Returns all that an instance may hold, twice if that depends. */
  private Stream<Resources> amounts(String id) {
    Stream<Resources> believed =
        cluster.instance(id).stream()
            .flatMap(each -> Stream.of(each.granted(), each.request().demand()));
    Stream<Resources> unknown = Stream.ofNullable(instances.get(id)).map(ObservedInstance::holds);
    Stream<Resources> adoption =
        Stream.ofNullable(adopted.get(id)).map(each -> each.request().demand());
    return Stream.of(believed, unknown, adoption).flatMap(each -> each);
  }
}
