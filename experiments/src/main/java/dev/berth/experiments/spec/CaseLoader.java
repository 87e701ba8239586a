package dev.berth.experiments.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.core.config.Durations;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.RunSettings;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.experiments.spec.ExperimentSpec.InfrastructureSpec;
import dev.berth.experiments.spec.ExperimentSpec.WorkloadSpec;
import dev.berth.experiments.store.CellJson;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.prepare.InfrastructureSizing;
import dev.berth.traces.prepare.WorkloadDescription;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prepares one case of an experiment: one combination of its axes. */
record CaseLoader(
    SharedSettings settings,
    ExperimentFiles files,
    Drawn drawn,
    WorkloadSpec workloadSpec,
    @Nullable InfrastructureSpec infrastructureSpec,
    double scale,
    long seed) {

  /** What cases with the same requests share; drawn once. Identities of many cases share parts. */
  static final class Drawn {
    private final Map<Record, JsonNode> parts = new HashMap<>();
    private final Map<List<Object>, ObjectNode> identities = new HashMap<>(); // without the seed
    private final Map<List<Object>, Resources> peaks = new HashMap<>(); // by identity of requests
    private final Map<List<Object>, Infrastructure> sizes = new HashMap<>();
  }

  Case load(int number) {
    Duration margin = settings.margin();
    Optional<Scenario> builtIn =
        SharedSettings.isBuiltIn(workloadSpec)
            ? Optional.of(BuiltInWorkloads.get(workloadSpec.from(), seed, margin))
            : Optional.empty();
    Workload workload =
        builtIn.map(Scenario::workload).orElseGet(() -> files.workload(workloadSpec, margin));
    Infrastructure all =
        infrastructureSpec == null
            ? builtIn.orElseThrow().infrastructure()
            : files.infrastructure(infrastructureSpec);
    Infrastructure infrastructure =
        infrastructureSpec == null
            ? scaled(workload, all)
            : drawn.sizes.computeIfAbsent(
                List.of(requests(), infrastructureSpec, scale), each -> scaled(workload, all));
    Scenario scenario =
        builtIn
            .map(
                each ->
                    new Scenario(
                        workload,
                        infrastructure,
                        settings.until(),
                        settings.overheads(),
                        each.migrationCost(),
                        each.resumeCost()))
            .orElseGet(
                () ->
                    new Scenario(workload, infrastructure, settings.until(), settings.overheads()));
    List<HostEvent> events = events(all, infrastructure);
    return new Case(
        number,
        workloadSpec.label().isBlank() ? workload.name() : workloadSpec.label(),
        infrastructureSpec == null || infrastructureSpec.label().isBlank()
            ? nameOf(all)
            : infrastructureSpec.label(),
        scale,
        settings.variant(),
        new RunSettings(
            scenario,
            settings.watchdog(),
            settings.apart(),
            margin,
            events,
            seed,
            settings.decisionTimes(),
            Optional.empty()),
        sharedIdentity());
  }

  /** Returns the name of the hosts at any scale. */
  private String nameOf(Infrastructure all) {
    boolean sized = infrastructureSpec != null && infrastructureSpec.sized();
    return sized ? "drawn from " + all.name() : all.name();
  }

  /**
   * Draws hosts up to the peak demand if the specification says so, and removes or adds some at
   * other scales than 1.
   */
  private Infrastructure scaled(Workload workload, Infrastructure given) {
    boolean sized = infrastructureSpec != null && infrastructureSpec.sized();
    if (!sized && scale == 1) {
      return given;
    }
    long hostSeed = infrastructureSpec == null ? seed : infrastructureSpec.seed();
    Resources peak = peak(workload);
    Dimension driving = InfrastructureSizing.driving(peak, given);
    Infrastructure whole = given;
    if (sized) {
      String name = "%s for %s".formatted(given.name(), workload.name());
      whole = InfrastructureSizing.drawn(name, given, driving, peak.amount(driving), hostSeed);
    }
    if (scale == 1) {
      return whole;
    }
    BigDecimal full =
        sized
            ? BigDecimal.valueOf(peak.amount(driving))
            : new BigDecimal(InfrastructureSizing.total(whole, driving));
    long least =
        full.multiply(BigDecimal.valueOf(scale)).setScale(0, RoundingMode.CEILING).longValueExact();
    String name = "%s of %s".formatted(scale, whole.name());
    return InfrastructureSizing.resized(name, whole, given, driving, least, hostSeed);
  }

  private Resources peak(Workload workload) {
    return drawn.peaks.computeIfAbsent(
        requests(), each -> WorkloadDescription.of(workload).all().peak());
  }

  /** Returns what the requests depend on: built-in workloads are drawn with a seed. */
  private List<Object> requests() {
    return SharedSettings.isBuiltIn(workloadSpec)
        ? List.of(workloadSpec, seed)
        : List.of(workloadSpec);
  }

  /**
   * Returns the events of limits and of the existing hosts: some hosts may have been removed or not
   * drawn.
   */
  private List<HostEvent> events(Infrastructure all, Infrastructure left) {
    String file = settings.spec().events();
    if (file == null) {
      return List.of();
    }
    List<HostEvent> events = files.events(file);
    Set<String> known = new HashSet<>(ids(all));
    known.addAll(ids(left));
    for (HostEvent each : events) {
      if (each instanceof HostEvent.OfHost ofHost && !known.contains(ofHost.hostId())) {
        throw ExperimentLoader.invalid(
            "events",
            '"' + file + '"',
            "names the host \"%s\", but %s has no such host".formatted(ofHost.hostId(), all.name()),
            "");
      }
    }
    Set<String> there = ids(left);
    return events.stream()
        .filter(each -> !(each instanceof HostEvent.OfHost of) || there.contains(of.hostId()))
        .toList();
  }

  private static Set<String> ids(Infrastructure infrastructure) {
    return infrastructure.hosts().stream().map(HostSpec::id).collect(Collectors.toSet());
  }

  private ObjectNode sharedIdentity() {
    return drawn.identities.computeIfAbsent(
        List.of(
            workloadSpec,
            Optional.ofNullable(infrastructureSpec),
            scale,
            settings.watchdog(),
            settings.margin()),
        each -> identity());
  }

  /** Returns everything that the results of the case depend on, except the policy and the seed. */
  private ObjectNode identity() {
    ObjectNode identity = JsonNodeFactory.instance.objectNode();
    identity.set("workload", unlabelled(workloadSpec));
    if (infrastructureSpec != null) {
      identity.set("infrastructure", unlabelled(infrastructureSpec));
      identity.put("infrastructureFile", files.digest(files.file(infrastructureSpec.from())));
    }
    identity.put(Case.SCALE, scale);
    identity.putNull(Case.SEED);
    identity.put("until", Durations.format(settings.until()));
    identity.put("watchdog", Durations.format(settings.watchdog()));
    identity.put("margin", Durations.format(settings.margin()));
    identity.set(
        "overheads", drawn.parts.computeIfAbsent(settings.overheads(), each -> overheads()));
    if (!settings.decisionTimes().areZero()) { // likewise
      identity.set("decisionTimes", CellJson.tree(settings.decisionTimes()));
    }
    if (!settings.apart().isZero()) { // likewise
      identity.put("apart", Durations.format(settings.apart()));
    }
    if (!SharedSettings.isBuiltIn(workloadSpec)) {
      identity.put("workloadFile", files.digest(files.file(workloadSpec.from())));
    }
    if (!workloadSpec.classes().isBlank()) {
      identity.put("classesFile", files.digest(files.path(workloadSpec.classes())));
    }
    String events = settings.spec().events();
    if (events != null) {
      identity.put("eventsFile", files.digest(files.file(events)));
    }
    return identity;
  }

  private JsonNode overheads() {
    ObjectNode overheads = (ObjectNode) CellJson.tree(settings.overheads());
    if (settings.overheads().termination().isZero()) { // as in results of earlier versions
      overheads.remove("termination");
    }
    return overheads;
  }

  /** Returns the specification without its label, which does not affect results. */
  private JsonNode unlabelled(Record spec) {
    return drawn.parts.computeIfAbsent(
        spec, each -> ((ObjectNode) CellJson.tree(each)).without("label"));
  }
}
