package dev.berth.timeline;

import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * What ran where and when, from the start of a run to its end: the simulation of a policy, or a
 * part of the life of a scheduler. All times are in nanoseconds since the start. Hosts, instances
 * and classes are named by their index.
 *
 * <p>Columns of numbers hold a million instances in a few hundred megabytes. Not changed once it is
 * recorded.
 *
 * @param end of the run
 * @param classes the service classes, most important first
 * @param hosts the hosts, in the order in which they were first up
 * @param instances the instances, in the order of their submission
 * @param spans what lasts, in the order of the starts; none is empty
 * @param marks what happens at an instant, in order
 */
public record RunTimeline(
    long end,
    List<ServiceLevel> classes,
    List<HostRow> hosts,
    Instances instances,
    Spans spans,
    Marks marks) {

  /** Copies the lists. */
  public RunTimeline {
    classes = List.copyOf(classes);
    hosts = List.copyOf(hosts);
  }

  /**
   * A service class.
   *
   * @param name of the class
   * @param objective the share of its life that an instance is to be in service, in (0, 1]
   */
  public record ServiceLevel(String name, double objective) {}

  /**
   * A host.
   *
   * @param name its id
   * @param lanes the number of its lanes, which is how many instances it had at a time
   * @param cores its latest capacity of CPU, in cores
   */
  public record HostRow(String name, int lanes, double cores) {}

  /** How the life of an instance ended. */
  public enum End {
    /** All its work was done. */
    COMPLETED,
    /** It was live at the end of the run. */
    UNFINISHED,
    /** The policy rejected it. */
    REFUSED,
    /** It was cancelled. */
    CANCELLED,
    /** Its longest run time was over. */
    STOPPED
  }

  /**
   * The instances.
   *
   * @param ids their ids
   * @param serviceClass index of the class
   * @param submitted when it was submitted
   * @param ended when its life ended, or the run did
   * @param end ordinal of {@link End}
   * @param met 1 if it met its objective, as its source decides
   * @param nanoCores its demand of CPU
   */
  public record Instances(
      List<String> ids,
      Column serviceClass,
      Column submitted,
      Column ended,
      Column end,
      Column met,
      Column nanoCores) {}

  /** What a span shows. */
  public enum State {
    /** A request that waits for a host. */
    WAITING,
    /** An instance that is not ready yet: it starts, resumes, or arrives from another host. */
    STARTING,
    /** An instance in service. */
    RUNNING,
    /** An instance that is paused on its host. */
    PAUSED,
    /** An instance that is suspended on its host. */
    SUSPENDED,
    /** A host that is up. */
    UP
  }

  /**
   * What lasts.
   *
   * @param state ordinal of {@link State}
   * @param instance index of the instance; -1 for a host that is up
   * @param host index of the host; -1 for a request that waits
   * @param lane of the host, from 0; -1 if none. No two spans of a lane overlap
   * @param from the start
   * @param to the end, after the start
   */
  public record Spans(
      Column state, Column instance, Column host, Column lane, Column from, Column to) {}

  /** What a mark shows. */
  public enum Kind {
    /** An instance was preempted for another one. */
    PREEMPTION,
    /** An instance moves to another host. */
    MIGRATION,
    /** A scheduler took an instance off its host, for no other instance. */
    EVICTION,
    /** An instance lost its host, or its start failed. */
    LOSS,
    /** A host went down. */
    HOST_DOWN
  }

  /**
   * What happens at an instant.
   *
   * @param kind ordinal of {@link Kind}
   * @param at when
   * @param instance the instance that it happens to; -1 if none
   * @param other the instance that benefits; -1 if none
   * @param host the host that it leaves
   * @param lane its lane there; -1 if none
   * @param why index of the reason among the texts; -1 if none
   * @param texts the different reasons
   */
  public record Marks(
      Column kind,
      Column at,
      Column instance,
      Column other,
      Column host,
      Column lane,
      Column why,
      List<String> texts) {}

  /** Returns how often something happened. */
  public long count(Kind kind) {
    long count = 0;
    for (int i = 0; i < marks.kind().size(); i++) {
      count += marks.kind().is(i, kind) ? 1 : 0;
    }
    return count;
  }

  // ---- Over time: means over steps of equal length

  /** Returns how many instances of a class were in a state. */
  public double[] in(State state, int serviceClass, int steps) {
    Steps sum = new Steps(steps);
    forSpans(
        i ->
            spans.state().is(i, state)
                && instances.serviceClass().get(spans.instance().index(i)) == serviceClass,
        i -> sum.add(from(i), to(i), 1));
    return sum.values;
  }

  /** Returns how many cores of the hosts that are up were free: not demanded by an instance. */
  public double[] freeCores(int steps) {
    Steps sum = new Steps(steps);
    forSpans(
        i -> spans.host().get(i) >= 0,
        i -> {
          int instance = spans.instance().index(i);
          double cores =
              instance < 0
                  ? hosts.get(spans.host().index(i)).cores()
                  : -instances.nanoCores().get(instance) / 1e9;
          sum.add(from(i), to(i), cores);
        });
    return sum.values;
  }

  /**
   * Returns how many live instances were below their objective: their time in service was less than
   * that share of their life so far.
   */
  public double[] belowObjective(int steps) {
    Steps sum = new Steps(steps);
    double[] served = new double[instances.ids().size()];
    forSpans(
        i -> spans.instance().get(i) >= 0,
        i -> {
          int instance = spans.instance().index(i);
          double objective = classes.get(instances.serviceClass().index(instance)).objective();
          double submitted = (double) instances.submitted().get(instance);
          double from = from(i);
          double to = to(i);
          if (spans.state().is(i, State.RUNNING)) {
            double lacking = objective * (from - submitted) - served[instance];
            double reached = lacking <= 0 ? from : from + lacking / (1 - objective);
            sum.add(from, Math.min(to, reached), 1);
            served[instance] += to - from;
          } else {
            sum.add(Math.max(from, submitted + served[instance] / objective), to, 1);
          }
        });
    return sum.values;
  }

  private double from(int span) {
    return (double) spans.from().get(span);
  }

  private double to(int span) {
    return (double) spans.to().get(span);
  }

  private void forSpans(IntPredicate which, IntConsumer action) {
    for (int i = 0; i < spans.state().size(); i++) {
      if (which.test(i)) {
        action.accept(i);
      }
    }
  }

  /** Sums amounts over time into means of steps. */
  private final class Steps {

    private final double[] values;

    Steps(int count) {
      values = new double[count];
    }

    void add(double from, double to, double amount) {
      if (!(to > from)) {
        return;
      }
      double step = (double) end / values.length;
      int first = (int) Math.min(values.length - 1, from / step);
      int last = (int) Math.min(values.length - 1, to / step);
      for (int k = first; k <= last; k++) {
        double covered = Math.min(to, (k + 1) * step) - Math.max(from, k * step);
        values[k] += amount * Math.max(0, covered) / step;
      }
    }
  }
}
