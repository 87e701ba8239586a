package dev.berth.testkit.event;

import dev.berth.api.HostSpec;
import dev.berth.api.Reason;
import dev.berth.api.batch.InstanceReport;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.event.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * A call of an embedder: it reports an event or asks for a pass.
 *
 * @param at the time of the call
 * @param event the event; empty: a pass
 */
public record Call(long at, Optional<Event<?>> event) {

  /** The reason for which histories cancel bags. */
  public static final Reason CANCELLED =
      new Reason.PolicyChoice("cancelled-by-user", "its user cancels it");

  /** The reason for which histories reject actions. */
  public static final String REFUSED = "the host refuses";

  /** The answer to a report that is late or doubled, and therefore has no effect. */
  public record Stale() {}

  /**
   * The answer to the cancellation of a group.
   *
   * @param reports what its remaining instances received, in order of admission
   */
  public record Ended(List<InstanceReport> reports) {}

  /** A report of an event. */
  public Call(long at, Event<?> event) {
    this(at, Optional.of(event));
  }

  /** Returns a call for a pass. */
  public static Call pass(long at) {
    return new Call(at, Optional.empty());
  }

  /** Returns whether this asks for a pass. */
  public boolean isPass() {
    return event.isEmpty();
  }

  /**
   * Makes the call.
   *
   * @return the answer, if there is anything to say: the {@link dev.berth.api.plan.Plan} of a pass,
   *     the answer to an event, or that a report is {@link Stale}
   */
  public Optional<Record> applyTo(EventTarget target) {
    if (event.isEmpty()) {
      return Optional.of(target.schedule(at));
    }
    Object answer;
    try {
      answer = target.apply(event.get(), at);
    } catch (StaleReportException stale) {
      if (mayBeStale(event.get())) {
        return Optional.of(new Stale());
      }
      throw stale;
    }
    if (answer instanceof List<?> reports) {
      return Optional.of(new Ended(reports.stream().map(InstanceReport.class::cast).toList()));
    }
    return answer instanceof Record told ? Optional.of(told) : Optional.empty();
  }

  private static boolean mayBeStale(Event<?> event) {
    return event instanceof Event.ActionRejected
        || (event instanceof Event.OfAttempt<?> report && report.number().isPresent());
  }

  /** Returns a description of the call, without its time. */
  public String describe() {
    return event.map(this::describe).orElse("pass");
  }

  private String describe(Event<?> it) {
    return switch (it.kind()) {
      case POOL_OFFERED -> {
        var pool = ((Event.PoolOffered) it).pool();
        yield "pool %s offers %s hosts (%s)%s"
            .formatted(
                pool.name(),
                pool.limit(),
                pool.capacity(),
                pool.attributes().isEmpty() ? "" : " " + pool.attributes());
      }
      case HOST_ADDED -> describe(((Event.HostAdded) it).spec(), "joins");
      case HOST_REMOVED -> "host " + ((Event.HostRemoved) it).host() + " leaves";
      case HOST_CHANGED -> describe(((Event.HostChanged) it).spec(), "changes");
      case FOREIGN_LOAD_REPORTED -> {
        Event.ForeignLoadReported load = (Event.ForeignLoadReported) it;
        yield "others hold %s on %s".formatted(load.foreign(), load.host());
      }
      case HOST_DRAINED -> {
        Event.HostDrained drained = (Event.HostDrained) it;
        OptionalLong deadline = drained.how().deadline();
        yield "host %s is drained (%s, %s, at the deadline%s %s%s)"
            .formatted(
                drained.host(),
                drained.how().mode(),
                drained.how().order(),
                deadline.isPresent() ? " " + deadline.getAsLong() : "",
                drained.how().atDeadline(),
                drained.how().restarted().isEmpty()
                    ? ""
                    : ", restarts " + drained.how().restarted());
      }
      case HOST_CORDONED -> "host " + ((Event.HostCordoned) it).host() + " is cordoned";
      case HOST_UNCORDONED -> "host " + ((Event.HostUncordoned) it).host() + " is uncordoned";
      case SUBMITTED -> {
        Event.Submitted submitted = (Event.Submitted) it;
        yield submitted.request().toString().replaceFirst("request (\\S+)", "$1 is submitted")
            + submitted.history().map(before -> ", " + before).orElse("");
      }
      case BAG_SUBMITTED -> {
        var bag = ((Event.BagSubmitted) it).bag();
        yield "bag %s is submitted%s: %s"
            .formatted(
                bag.id(),
                bag.timeToLive().map(each -> " for " + shorter(each)).orElse(""),
                bag.requests());
      }
      case GROUP_SUBMITTED -> {
        var group = ((Event.GroupSubmitted) it).group();
        yield "group %s is submitted, of which %s must start together (%s): %s"
            .formatted(group.id(), group.minCount(), group.onLoss(), group.members());
      }
      case STARTED -> describe((Event.Started) it, "is ready");
      case STARTED_NOW -> ((Event.StartedNow) it).instance() + " is ready";
      case FAILED -> describe((Event.Failed) it, "fails");
      case FAILED_NOW -> ((Event.FailedNow) it).instance() + " fails";
      case COMPLETED -> describe((Event.Completed) it, "completes");
      case COMPLETED_NOW -> {
        Event.CompletedNow completed = (Event.CompletedNow) it;
        yield completed.instance()
            + " completes"
            + completed.cpuTime().map(each -> " after " + shorter(each) + " of CPU").orElse("");
      }
      case ADOPTED -> {
        Event.Adopted adopted = (Event.Adopted) it;
        yield "%s is adopted: %s".formatted(adopted.seen(), adopted.how());
      }
      case RECONCILED -> {
        Event.Reconciled fleet = (Event.Reconciled) it;
        yield "the fleet has %s and %s%s%s%s"
            .formatted(
                fleet.observed().hosts(),
                fleet.observed().instances(),
                listed(", under way ", new TreeSet<>(fleet.observed().underWay())),
                listed(", ended ", fleet.ended()),
                listed(", adopts ", fleet.adoptions()));
      }
      case CANCELLED -> ((Event.Cancelled) it).instance() + " is cancelled";
      case BAG_CANCELLED -> "bag " + ((Event.BagCancelled) it).bag() + " is cancelled";
      case GROUP_CANCELLED -> "group " + ((Event.GroupCancelled) it).group() + " is cancelled";
      default -> it.toString(); // says all there is to say
    };
  }

  private static String describe(HostSpec host, String what) {
    return "host %s %s (%s)%s%s%s"
        .formatted(
            host.id(),
            what,
            host.capacity(),
            host.attributes().isEmpty() ? "" : " " + host.attributes(),
            host.timeShared() ? ", shares its CPU" : "",
            host.taints().isEmpty() ? "" : ", " + host.taints());
  }

  private String describe(Event.OfNumberedAttempt<?> report, String what) {
    long ago = at - report.at().orElse(at);
    return "%s %s%s".formatted(report.attempt(), what, ago == 0 ? "" : ", " + ago + " ns ago");
  }

  private static String shorter(Duration duration) {
    return duration.toString().substring(2);
  }

  private static String listed(String before, Collection<?> all) {
    return all.isEmpty() ? "" : before + new ArrayList<>(all);
  }
}
