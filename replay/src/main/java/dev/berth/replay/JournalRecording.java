package dev.berth.replay;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.fleet.Difference;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.event.Event;
import dev.berth.json.UnreadableException;
import dev.berth.runtime.Replay;
import dev.berth.runtime.ReplayMismatchException;
import dev.berth.runtime.journal.JournalFinding;
import dev.berth.runtime.journal.JournalInspection;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.input.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The requests, hosts and changes of hosts in a journal, found by a replay. */
final class JournalRecording implements Replay.Listener {

  static final String NEVER_RAN = "request that never ran";
  static final String CHANGE = "change of a host that a simulation does not know";
  static final String TORN = "torn record at the end";

  private static final Set<JournalFinding.Kind> BROKEN =
      EnumSet.of(JournalFinding.Kind.DAMAGE, JournalFinding.Kind.NEWER_VERSION);

  /** A request that was submitted. */
  private record Submission(
      long at, Request request, Optional<Arrival.InBag> bag, Optional<Arrival.InGroup> group) {}

  /** A request that has ended, and may be continued. */
  private record Ended(Submission submission, long admittedAt) {}

  private final Map<String, Submission> waiting = new LinkedHashMap<>(); // those not ended
  private final Map<String, Ended> ended = new HashMap<>(); // by id, the latest
  private final Map<String, Instance> instances = new HashMap<>(); // of those waiting
  private final List<Submission> submissions = new ArrayList<>();
  private final Map<Submission, Long> served = new HashMap<>();
  private final List<HostSpec> first = new ArrayList<>(); // each host as it first joined
  private final Map<String, HostSpec> latest = new HashMap<>();
  private final Set<String> present = new HashSet<>();
  private final List<HostEvent> events = new ArrayList<>();
  private final List<String> skippedChanges = new ArrayList<>();
  private final boolean isTorn;
  private final long begin;
  private @Nullable Scheduler scheduler;

  private JournalRecording(JournalInspection journal, long begin) {
    this.isTorn =
        journal.findings().stream().anyMatch(each -> each.kind() == JournalFinding.Kind.CUT_TAIL);
    this.begin = begin;
  }

  /**
   * Replays a journal with the policies that the context class loader of the thread sees.
   *
   * @throws InputException if it cannot be replayed
   */
  static JournalRecording of(dev.berth.traces.input.Input input) {
    return read(
        input,
        journal -> {
          PolicyRegistry registry = PolicyRegistry.load();
          Replay replay = Replay.of(journal, registry);
          String policy = replay.settings().policy();
          if (!registry.ids().contains(policy)) {
            throw input.error(
                "is the journal of the policy %s, which is not available".formatted(policy),
                "its jar is missing");
          }
          JournalRecording recording = new JournalRecording(journal, replay.begin().orElse(0));
          replay.run(recording);
          recording.end();
          return recording;
        });
  }

  /** Returns the service classes of the scheduler that wrote a journal. */
  static List<ServiceClass> serviceClasses(dev.berth.traces.input.Input input) {
    return read(
        input, journal -> Replay.of(journal, PolicyRegistry.of()).settings().serviceClasses());
  }

  /** What is done with a journal. */
  @FunctionalInterface
  private interface Work<T> {
    T on(JournalInspection journal) throws IOException;
  }

  private static <T> T read(dev.berth.traces.input.Input input, Work<T> work) {
    try {
      JournalInspection journal = JournalInspection.of(Path.of(input.file()));
      if (journal.isDamaged()) {
        throw input.error(
            "is a damaged journal (%s)".formatted(damage(journal)),
            "'berth journal describe' says what is left of it");
      }
      return work.on(journal);
    } catch (IOException
        | UnreadableException
        | SnapshotException
        | ConfigException
        | PolicyFailedException
        | SchedulerFailedException
        | ReplayMismatchException
        | IllegalStateException unusable) {
      throw input.error(
          "is a journal that cannot be replayed (%s)".formatted(withoutStop(unusable)));
    }
  }

  private static String damage(JournalInspection journal) {
    return journal.findings().stream()
        .filter(each -> BROKEN.contains(each.kind()))
        .map(JournalFinding::toString)
        .findFirst()
        .orElse("");
  }

  private static String withoutStop(Exception unusable) {
    String message = String.valueOf(unusable.getMessage());
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }

  private static HostSpec spec(Host host) {
    return new HostSpec(
        host.id(), host.capacity(), host.attributes(), host.timeShared(), host.taints());
  }

  // ---- During the replay

  @Override
  public void begins(Scheduler replayed) {
    scheduler = replayed;
    for (Host each : replayed.hosts()) { // of a snapshot
      joined(spec(each), begin);
    }
    for (Instance each : replayed.instances()) {
      submit(each.request(), begin, Optional.empty(), Optional.empty());
    }
  }

  @Override
  public void applied(long now, Event<?> event, Object result) {
    if (event instanceof Event.Submitted submitted) {
      submit(submitted, now);
    } else if (event instanceof Event.BagSubmitted bag) {
      Arrival.InBag in = new Arrival.InBag(bag.bag().id(), bag.bag().timeToLive());
      bag.bag().requests().forEach(each -> submit(each, now, Optional.of(in), Optional.empty()));
    } else if (event instanceof Event.GroupSubmitted group) {
      Arrival.InGroup in =
          new Arrival.InGroup(
              group.group().id(), OptionalInt.of(group.group().minCount()), group.group().onLoss());
      group.group().members().forEach(each -> submit(each, now, Optional.empty(), Optional.of(in)));
    } else if (event instanceof Event.HostAdded added) {
      joined(added.spec(), now);
    } else if (event instanceof Event.HostRemoved removed) {
      left(removed.host(), now);
    } else if (event instanceof Event.HostChanged changed) {
      changed(changed.spec(), now);
    } else if (event instanceof Event.LimitSet limit) {
      events.add(new HostEvent.LimitSet(now - begin, limit.limit(), limit.amount()));
    } else if (event instanceof Event.HostCordoned
        || event instanceof Event.HostUncordoned
        || event instanceof Event.HostDrained
        || event instanceof Event.ForeignLoadReported) {
      skippedChanges.add(CHANGE);
    }
    hear(result, now);
  }

  private void hear(Object result, long now) {
    if (result instanceof InstanceReport report) {
      ended(report);
    } else if (result instanceof BagReport bag) {
      bag.cancelled().forEach(this::ended);
    } else if (result instanceof List<?> reports) {
      reports.forEach(each -> hear(each, now));
    } else if (result instanceof Reconciliation found) {
      found.differences().forEach(each -> differed(each, now));
    }
  }

  private void differed(Difference difference, long now) {
    if (difference instanceof Difference.HostAppeared appeared) {
      scheduler().host(appeared.host()).ifPresent(host -> joined(spec(host), now));
    } else if (difference instanceof Difference.HostGone gone) {
      left(gone.host(), now);
    } else if (difference instanceof Difference.HostChanged changed) {
      changed(changed.observed(), now);
    } else if (difference instanceof Difference.InstanceGone gone && gone.ended()) {
      Submission submission = waiting.remove(gone.instance());
      Instance instance = instances.remove(gone.instance());
      if (submission != null && instance != null) {
        served.put(submission, instance.serviceTime(now));
      }
    } else if (difference instanceof Difference.InstanceUnknown unknown && unknown.adopted()) {
      scheduler()
          .instance(unknown.instance())
          .ifPresent(each -> submit(each.request(), now, Optional.empty(), Optional.empty()));
    }
  }

  /** A request that continues one of this journal is the same request; the service is in all. */
  private void submit(Event.Submitted submitted, long now) {
    String id = submitted.request().id();
    Ended before = ended.get(id);
    boolean continues =
        before != null
            && submitted
                .history()
                .filter(each -> each.admittedAt() == before.admittedAt)
                .isPresent();
    if (before == null || !continues) {
      submit(submitted.request(), now, Optional.empty(), Optional.empty());
      return;
    }
    waiting.put(id, before.submission);
    scheduler().instance(id).ifPresent(each -> instances.put(id, each));
  }

  private void submit(
      Request request, long now, Optional<Arrival.InBag> bag, Optional<Arrival.InGroup> group) {
    Submission submission = new Submission(now - begin, request, bag, group);
    submissions.add(submission);
    waiting.put(request.id(), submission);
    scheduler().instance(request.id()).ifPresent(each -> instances.put(request.id(), each));
  }

  private void ended(InstanceReport report) {
    Submission submission = waiting.remove(report.id());
    instances.remove(report.id());
    if (submission != null) {
      served.put(submission, report.serviceTime());
      ended.put(report.id(), new Ended(submission, report.admittedAt()));
    }
  }

  private void joined(HostSpec spec, long now) {
    if (!present.add(spec.id())) {
      return;
    }
    long at = now - begin;
    HostSpec before = latest.put(spec.id(), spec);
    if (before == null) {
      first.add(spec);
      if (at > 0) {
        events.add(0, new HostEvent.Fails(0, spec.id()));
        events.add(new HostEvent.Recovers(at, spec.id()));
      }
    } else {
      events.add(new HostEvent.Recovers(at, spec.id()));
      differs(before, spec, at);
    }
  }

  private void left(String host, long now) {
    if (present.remove(host)) {
      events.add(new HostEvent.Fails(now - begin, host));
    }
  }

  private void changed(HostSpec spec, long now) {
    HostSpec before = latest.put(spec.id(), spec);
    if (before != null) {
      differs(before, spec, now - begin);
    }
  }

  private void differs(HostSpec before, HostSpec spec, long at) {
    if (!before.taints().equals(spec.taints())) {
      events.add(new HostEvent.Tainted(at, spec.id(), spec.taints()));
    }
    if (!before.capacity().equals(spec.capacity())
        || !before.attributes().equals(spec.attributes())) {
      skippedChanges.add(CHANGE);
    }
  }

  private void end() {
    waiting.forEach(
        (id, submission) ->
            scheduler()
                .instance(id)
                .ifPresent(
                    instance -> served.put(submission, instance.serviceTime(scheduler().now()))));
  }

  private Scheduler scheduler() {
    Scheduler replayed = scheduler;
    if (replayed == null) {
      throw new IllegalStateException("the replay has no scheduler");
    }
    return replayed;
  }

  // ---- What was found

  List<Arrival> arrivals() {
    List<Arrival> arrivals = new ArrayList<>();
    for (Submission each : submissions) {
      long time = served.getOrDefault(each, 0L);
      if (time > 0) {
        arrivals.add(
            new Arrival(
                each.at(),
                each.request(),
                time,
                ActualBehaviour.asSaid(each.request()),
                each.bag(),
                each.group(),
                each.request().job().flatMap(this::budget)));
      }
    }
    return arrivals;
  }

  private Optional<DisruptionBudget> budget(String job) {
    return scheduler().budget(job);
  }

  /** Returns what the workload lacks, once for each item. */
  List<String> skippedRequests() {
    List<String> skipped = new ArrayList<>();
    if (isTorn) {
      skipped.add(TORN);
    }
    submissions.stream()
        .filter(each -> served.getOrDefault(each, 0L) == 0)
        .forEach(each -> skipped.add(NEVER_RAN));
    return skipped;
  }

  List<HostSpec> hosts() {
    return List.copyOf(first);
  }

  List<HostEvent> events() {
    return List.copyOf(events);
  }

  List<String> skippedChanges() {
    return List.copyOf(skippedChanges);
  }
}
