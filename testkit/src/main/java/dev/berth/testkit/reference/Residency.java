package dev.berth.testkit.reference;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A stay of an instance on a host.
 *
 * @param hostId the host
 * @param timeShared whether that host is time-shared, so that no instance holds its CPU
 * @param pass number of the pass that placed it there; 0 if none did
 * @param beginning how the stay began
 * @param granted its latest grant there
 * @param spells its successive states there; the first is starting, unless a fleet reported another
 * @param reports its usage reports there, oldest first
 * @param leftAt when it left; empty if it is still there
 * @param ending why it left; empty if it is still there
 */
public record Residency(
    String hostId,
    boolean timeShared,
    long pass,
    Beginning beginning,
    Resources granted,
    List<Spell> spells,
    List<Usage> reports,
    OptionalLong leftAt,
    Optional<Ending> ending) {

  /** How an instance came to a host. */
  public enum Beginning {
    /** It was pending and was placed. */
    PLACED,
    /** It was on another host and moved. */
    MIGRATED,
    /** A fleet reported it there; no pass placed it. */
    OBSERVED,
    /** It ran there already when it was adopted. */
    ADOPTED
  }

  /** Why an instance left a host. */
  public enum Ending {
    /** It was a victim of a preemption. */
    PREEMPTED,
    /** Its host was drained. */
    EVICTED,
    /** It moved to another host. */
    MIGRATED,
    /** It failed. */
    FAILED,
    /** The host left the cluster. */
    HOST_LEFT,
    /** A fleet reported it elsewhere, or in another state. */
    CORRECTED,
    /** It completed or was cancelled. */
    DONE
  }

  /**
   * A period in one state.
   *
   * @param state the state
   * @param since when it began
   */
  public record Spell(InstanceState state, long since) {}

  /** Copies the lists. */
  public Residency {
    spells = List.copyOf(spells);
    reports = List.copyOf(reports);
  }

  static Residency begin(
      HostSpec host,
      long pass,
      Beginning how,
      Resources granted,
      Spell state,
      List<Usage> reports) {
    return new Residency(
        host.id(),
        host.timeShared(),
        pass,
        how,
        granted,
        List.of(state),
        reports,
        OptionalLong.empty(),
        Optional.empty());
  }

  Residency becomes(InstanceState state, long now) {
    List<Spell> more = new ArrayList<>(spells);
    more.add(new Spell(state, now));
    return new Residency(
        hostId, timeShared, pass, beginning, granted, more, reports, leftAt, ending);
  }

  Residency with(Resources grant) {
    return new Residency(
        hostId, timeShared, pass, beginning, grant, spells, reports, leftAt, ending);
  }

  Residency with(Usage report) {
    List<Usage> more = new ArrayList<>(reports);
    more.add(report);
    return new Residency(
        hostId, timeShared, pass, beginning, granted, spells, more, leftAt, ending);
  }

  Residency end(long now, Ending why) {
    return new Residency(
        hostId,
        timeShared,
        pass,
        beginning,
        granted,
        spells,
        reports,
        OptionalLong.of(now),
        Optional.of(why));
  }

  /** Returns when the stay began. */
  public long since() {
    return spells.get(0).since;
  }

  /**
   * Returns when it first came into service there; empty if it is still starting, or left before it
   * was ready.
   */
  public OptionalLong readyAt() {
    return spells.stream()
        .filter(each -> each.state == InstanceState.RUNNING)
        .mapToLong(Spell::since)
        .findFirst();
  }

  /** Returns the periods in service up to now. */
  List<Metrics.Run> runs(long now) {
    List<Metrics.Run> runs = new ArrayList<>();
    for (int i = 0; i < spells.size(); i++) {
      if (spells.get(i).state == InstanceState.RUNNING) {
        long end = i + 1 < spells.size() ? spells.get(i + 1).since : leftAt.orElse(now);
        runs.add(new Metrics.Run(spells.get(i).since, end));
      }
    }
    return runs;
  }

  /** Returns its latest state there. */
  Spell latest() {
    return spells.get(spells.size() - 1);
  }

  /** Returns whether the stay has not ended. */
  public boolean current() {
    return ending.isEmpty();
  }

  boolean isOn(String host) {
    return current() && hostId.equals(host);
  }

  boolean ended(Ending why) {
    return ending.equals(Optional.of(why));
  }
}
