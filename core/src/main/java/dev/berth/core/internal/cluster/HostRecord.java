package dev.berth.core.internal.cluster;

import dev.berth.api.ApplicationHistory;
import dev.berth.api.Dimension;
import dev.berth.api.Drain;
import dev.berth.api.Host;
import dev.berth.api.HostLoad;
import dev.berth.api.HostSpec;
import dev.berth.api.HostState;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.core.internal.rule.RuledHost;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A host of the cluster: its description, its slot in the {@link HostTable} and its instances. */
public final class HostRecord extends RuledHost {

  private static final Comparator<Instance> BY_ID = Comparator.comparing(Instance::id);
  private static final int FEW = 8; // moves; after more, sorting again is no slower

  public final long tieHash;
  public final long joined; // sequence number: hosts are listed in this order

  /** The instances on this host, unordered. Each knows its place in the list. */
  public final List<InstanceRecord> residents = new ArrayList<>();

  private @Nullable List<Instance> residentsById; // the same instances before the latest changes
  private final List<InstanceRecord> movedSince = new ArrayList<>(); // that came or left since

  // If the host comes from a pool
  public final @Nullable HostPool pool;
  public final @Nullable String cluster;
  public OptionalLong expiresAt = OptionalLong.empty();

  // If the host is time-shared
  private @Nullable HostLoad load;
  private final Map<String, ApplicationHistory> histories =
      new LinkedHashMap<>(); // the latest completion last
  private final RecentCompletions recentCompletions = new RecentCompletions();

  /** Whether anything closes the host; {@link Closings} changes it. */
  public boolean isClosed;

  // While starts on it fail in a row
  public int failedStarts;
  public long heldUntil = Long.MIN_VALUE;

  /** Whether what it holds may exceed its capacity, so that each change of it must be checked. */
  public boolean mayBeOver;

  private @Nullable Map<Closing, Reason> closings; // null: nothing ever closed it

  /** How it is emptied while {@link Closing#DRAIN} closes it; otherwise null. */
  public @Nullable Drain drain;

  /**
   * While the host and others are unchanged since this version, no other host takes an instance of
   * this draining one.
   */
  public long stuckUpTo = Long.MIN_VALUE;

  /** Its taints, and since when it has them; null if it has none. */
  public @Nullable HostTaints tainted;

  private Resources foreign = Resources.none(); // as reported
  public long[] foreignAmounts = InstanceRecord.NOTHING; // what of it is held here, by dimension

  public long version;

  /** The number of running instances here whose jobs have disruption budgets. */
  public int guarded;

  /** The latest pass that acted on an instance that is on this host or left it. */
  public long actedInPass;

  // The hosts in order of version, chained
  public @Nullable HostRecord changedBefore;
  public @Nullable HostRecord changedAfter;

  private final HostTable table;

  /** A host as a pool provides it, before it is up. */
  public interface Provided extends Host {

    /** Returns the pool. */
    HostPool source();
  }

  public HostRecord(
      HostSpec spec,
      @Nullable Provided provided,
      HostTable table,
      long[] capacity,
      long tieHash,
      long joined) {
    super(spec);
    this.pool = provided == null ? null : provided.source();
    this.cluster = provided == null ? null : provided.cluster().orElse(null);
    this.expiresAt = provided == null ? OptionalLong.empty() : provided.expiresAt();
    this.table = table;
    this.tieHash = tieHash;
    this.joined = joined;
    this.slot = table.add(this, capacity);
  }

  /** Returns whether the host is present in the cluster. */
  public boolean isIn(HostTable other) {
    return table == other && other.host(slot) == this;
  }

  /** Returns what closes the host, and why; for {@link Closings} alone to change. */
  public Map<Closing, Reason> closings() {
    if (closings == null) {
      closings = new EnumMap<>(Closing.class);
    }
    return closings;
  }

  /** Returns whether a cause is among those that close the host. */
  public boolean isClosedBy(Closing cause) {
    return closings != null && closings.containsKey(cause);
  }

  /** Returns why the host accepts nothing, or null if it is open. */
  public @Nullable Reason closedBy() {
    if (!isClosed || closings == null) {
      return null;
    }
    Reason first = closings.values().iterator().next();
    return first instanceof Reason.Draining && residents.isEmpty() ? new Reason.Drained() : first;
  }

  @Override
  public Optional<Reason> closed() {
    return Optional.ofNullable(closedBy());
  }

  /** Returns the deadline of the drain, or {@link Long#MAX_VALUE}. */
  public long drainDeadline() {
    return drain == null ? Long.MAX_VALUE : drain.deadline().orElse(Long.MAX_VALUE);
  }

  /** Notes the taints of its description, which is new or has changed. */
  public void noteTaints(long now) {
    tainted = HostTaints.of(spec.taints(), tainted, now);
  }

  /** Sets since when the host has its taints, in their order. */
  public void restoreTaints(long[] since) {
    tainted = HostTaints.of(spec.taints(), since);
  }

  /** Returns since when the host has its taints, in their order; a copy. */
  public long[] taintedSince() {
    return tainted == null ? new long[0] : tainted.since();
  }

  @Override
  public List<Taint> taints() {
    return spec.taints();
  }

  @Override
  public int untoleratedSoft(Request request) {
    return tainted == null ? 0 : tainted.discouraging(request);
  }

  public void foreignLoad(Resources reported, long[] held) {
    foreign = reported;
    foreignAmounts = held;
  }

  @Override
  public Resources foreign() {
    return foreign;
  }

  public void reportsLoad(HostLoad told) {
    load = told;
  }

  /** Adds a completed run to the history of its application. */
  public void ran(String application, long cpuTime) {
    ApplicationHistory before = histories.remove(application);
    histories.put(
        application, before == null ? ApplicationHistory.first(cpuTime) : before.plus(cpuTime));
    if (histories.size() > MAX_HISTORIES) {
      histories.remove(histories.keySet().iterator().next());
    }
  }

  /** Records that an instance ceased to run here at a time; a late report may be about the past. */
  public void ended(long at) {
    recentCompletions.add(at);
  }

  /** Returns the histories of applications, the latest completion last; live. */
  public Map<String, ApplicationHistory> histories() {
    return Collections.unmodifiableMap(histories);
  }

  /** Restores what was reported and completed here. The host is new. */
  public void restore(
      @Nullable HostLoad told, Map<String, ApplicationHistory> ofApplications, List<Long> ends) {
    load = told;
    histories.putAll(ofApplications);
    ends.forEach(recentCompletions::add);
  }

  /** Returns the number of completions in memory, some of them before the window. */
  public int completionsKept() {
    return recentCompletions.size();
  }

  /** Removes a completion at a time, which an action caused that is undone. */
  public void removeCompletion(long at) {
    recentCompletions.remove(at);
  }

  @Override
  public String id() {
    return spec.id();
  }

  @Override
  public Resources capacity() {
    return spec.capacity();
  }

  @Override
  public Resources free() {
    Resources.Builder free = Resources.builder();
    for (Dimension each : spec.capacity().dimensions()) {
      free.put(each, free(each));
    }
    return free.build();
  }

  @Override
  public long free(Dimension dimension) {
    int number = table.numberOf(dimension);
    return number < 0 || !isIn(table) || !table.dimension(number).equals(dimension)
        ? 0
        : Math.max(0, table.free(slot, number)); // negative: it holds more than its capacity
  }

  @Override
  public Map<String, String> attributes() {
    return spec.attributes();
  }

  @Override
  public Collection<Instance> instances() {
    List<Instance> sorted = residentsById;
    if (sorted == null) {
      sorted = residents.stream().sorted(BY_ID).map(Instance.class::cast).toList();
    } else if (!movedSince.isEmpty()) {
      sorted = Collections.unmodifiableList(updated(new ArrayList<>(sorted)));
    }
    movedSince.clear();
    residentsById = sorted;
    return sorted;
  }

  /** Adds and removes the instances that have moved, which costs less than sorting all. */
  private List<Instance> updated(List<Instance> sorted) {
    for (InstanceRecord each : movedSince) {
      boolean isHere = each.residence >= 0 && each.host == this;
      int index = Collections.binarySearch(sorted, each, BY_ID);
      if (!isHere && index >= 0 && sorted.get(index) == each) {
        sorted.remove(index);
      } else if (isHere && index < 0) {
        sorted.add(-index - 1, each);
      }
    }
    return sorted;
  }

  private void moved(InstanceRecord instance) {
    if (movedSince.size() == FEW) {
      residentsById = null;
      movedSince.clear();
    }
    if (residentsById != null) {
      movedSince.add(instance);
    }
  }

  @Override
  public HostState state() {
    return pool != null && pool.isStopping(id()) ? HostState.STOPPING : HostState.UP;
  }

  @Override
  public Optional<String> pool() {
    return Optional.ofNullable(pool).map(HostPool::name);
  }

  @Override
  public Optional<String> cluster() {
    return Optional.ofNullable(cluster);
  }

  @Override
  public OptionalLong expiresAt() {
    return expiresAt;
  }

  @Override
  public boolean timeShared() {
    return spec.timeShared();
  }

  @Override
  public Optional<HostLoad> load() {
    return Optional.ofNullable(load);
  }

  @Override
  public List<Long> recentCompletions() {
    return recentCompletions.inWindow();
  }

  @Override
  public Optional<ApplicationHistory> history(String application) {
    return Optional.ofNullable(histories.get(application));
  }

  @Override
  public long version() {
    return version;
  }

  public void admit(InstanceRecord instance) {
    instance.residence = residents.size();
    residents.add(instance);
    moved(instance);
  }

  public void dismiss(InstanceRecord instance) {
    InstanceRecord last = residents.remove(residents.size() - 1);
    if (last != instance) {
      residents.set(instance.residence, last);
      last.residence = instance.residence;
    }
    instance.residence = -1;
    moved(instance);
  }

  @Override
  public String toString() {
    return "host " + id();
  }
}
