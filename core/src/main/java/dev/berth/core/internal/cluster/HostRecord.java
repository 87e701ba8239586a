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
import dev.berth.core.internal.undo.UndoLog;
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
  private OptionalLong expiresAt;

  // If the host is time-shared
  private @Nullable HostLoad load;
  private final Map<String, ApplicationHistory> histories =
      new LinkedHashMap<>(); // the latest completion last
  private final RecentCompletions recentCompletions = new RecentCompletions();

  // Closings changes these
  boolean isClosed; // whether anything closes the host
  boolean mayBeOver; // whether what it holds may exceed its capacity
  private @Nullable Map<Closing, Reason> closings; // null: nothing ever closed it

  // While starts on it fail in a row
  private int failedStarts;
  private long heldUntil = Long.MIN_VALUE;

  private long stuckUpTo = Long.MIN_VALUE;
  private @Nullable HostTaints tainted; // null: it has none
  private Resources foreign = Resources.none(); // as reported
  private long[] foreignAmounts = InstanceRecord.NOTHING; // what of it is held here, by dimension
  private int guarded;
  private int grouped; // instances here that belong to groups

  // Cluster changes these
  @Nullable Drain drain; // how it is emptied while Closing.DRAIN closes it; otherwise null
  long version;
  @Nullable HostRecord changedBefore; // the hosts in order of version, chained
  @Nullable HostRecord changedAfter;

  long actedInPass; // the latest that acted on an instance here; the instance changes it

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
    isIn(table.add(this, capacity));
  }

  /** Returns whether the host is present in the cluster. */
  public boolean isIn(HostTable other) {
    return table == other && other.host(slot()) == this;
  }

  /** Comes back to the table. */
  void returns() {
    long[] capacity = table.dense(capacity());
    isIn(table.add(this, capacity));
    if (foreignAmounts.length > 0) {
      table.change(slot(), capacity, foreignAmounts);
    }
  }

  /** Returns what amounts take here: no CPU where the CPU is shared. */
  public long[] taken(long[] amounts) {
    return timeShared() ? withoutCpu(amounts) : amounts;
  }

  long[] withoutCpu(long[] amounts) {
    int cpu = table.numberOf(Dimension.CPU);
    if (cpu < 0 || cpu >= amounts.length || amounts[cpu] == 0) {
      return amounts;
    }
    long[] rest = amounts.clone();
    rest[cpu] = 0;
    return rest;
  }

  /** Returns whether anything closes the host. */
  public boolean isClosed() {
    return isClosed;
  }

  /** Returns whether what it holds may exceed its capacity, so that a change must be checked. */
  public boolean mayBeOver() {
    return mayBeOver;
  }

  /** Returns what closes the host, and why; {@link Closings} changes it. */
  Map<Closing, Reason> closings() {
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

  /** Returns how it is drained, or null if it is not. */
  public @Nullable Drain drain() {
    return drain;
  }

  /** Returns the deadline of the drain, or {@link Long#MAX_VALUE}. */
  public long drainDeadline() {
    return drain == null ? Long.MAX_VALUE : drain.deadline().orElse(Long.MAX_VALUE);
  }

  /**
   * Returns the version since which no other host takes an instance of this draining one, while
   * this host and others are unchanged.
   */
  public long stuckUpTo() {
    return stuckUpTo;
  }

  /** Notes that no other host takes an instance of this draining one. */
  public void isStuck(long upTo) {
    stuckUpTo = upTo;
  }

  /** Changes its description. */
  public void isNow(HostSpec changed, long now) {
    describe(changed);
    noteTaints(now);
  }

  /** Notes the taints of its description, which is new or has changed. */
  public void noteTaints(long now) {
    tainted = HostTaints.of(spec().taints(), tainted, now);
  }

  /** Returns its taints, and since when it has them; null if it has none. */
  public @Nullable HostTaints tainted() {
    return tainted;
  }

  /**
   * Returns whether it cannot be reached: nothing comes there, and what is there is only believed.
   */
  public boolean isUnreachable() {
    return tainted != null && tainted.unreachable() != null;
  }

  /** Returns how to restore its present description and foreign load. */
  public UndoLog.Step description() {
    HostSpec specBefore = spec();
    HostTaints taintedBefore = tainted;
    Resources foreignBefore = foreign;
    long[] amountsBefore = foreignAmounts;
    return () -> {
      describe(specBefore);
      tainted = taintedBefore;
      foreignLoad(foreignBefore, amountsBefore);
    };
  }

  /** Sets since when the host has its taints, in their order. */
  public void restoreTaints(long[] since) {
    tainted = HostTaints.of(spec().taints(), since);
  }

  /** Returns since when the host has its taints, in their order; a copy. */
  public long[] taintedSince() {
    return tainted == null ? new long[0] : tainted.since();
  }

  @Override
  public List<Taint> taints() {
    return spec().taints();
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

  /** Returns what of the foreign load is held here, by dimension. */
  public long[] foreignAmounts() {
    return foreignAmounts;
  }

  /** Counts a start here that failed. Returns how many have failed in a row. */
  public int countFailedStart() {
    return ++failedStarts;
  }

  /** Sets how many starts here have failed in a row. */
  public void restoreFailedStarts(int number) {
    failedStarts = number;
  }

  /** Sets until when it is held back; {@link Long#MIN_VALUE}: it is not. */
  public void holdUntil(long time) {
    heldUntil = time;
  }

  public int failedStarts() {
    return failedStarts;
  }

  public long heldUntil() {
    return heldUntil;
  }

  /** Counts running instances here whose jobs have disruption budgets. */
  public void countGuarded(int change) {
    guarded += change;
  }

  public int guarded() {
    return guarded;
  }

  /** Returns whether instances here belong to groups. */
  public boolean hasGroups() {
    return grouped > 0;
  }

  /** Returns the latest pass that acted on an instance that is here or left. */
  public long actedInPass() {
    return actedInPass;
  }

  /** Returns the host that changed before it, or null. */
  public @Nullable HostRecord changedBefore() {
    return changedBefore;
  }

  /** Changes its expiry. */
  public void expires(OptionalLong at) {
    expiresAt = at;
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
    return spec().id();
  }

  @Override
  public Resources capacity() {
    return spec().capacity();
  }

  @Override
  public Resources free() {
    Resources.Builder free = Resources.builder();
    for (Dimension each : spec().capacity().dimensions()) {
      free.put(each, free(each));
    }
    return free.build();
  }

  @Override
  public long free(Dimension dimension) {
    int number = table.numberOf(dimension);
    return number < 0 || !isIn(table) || !table.dimension(number).equals(dimension)
        ? 0
        : Math.max(0, table.free(slot(), number)); // negative: it holds more than its capacity
  }

  @Override
  public Map<String, String> attributes() {
    return spec().attributes();
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
      boolean isHere = each.residence >= 0 && each.place() == this;
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
    return spec().timeShared();
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
    grouped += instance.group == null ? 0 : 1;
    moved(instance);
  }

  public void dismiss(InstanceRecord instance) {
    InstanceRecord last = residents.remove(residents.size() - 1);
    if (last != instance) {
      residents.set(instance.residence, last);
      last.residence = instance.residence;
    }
    instance.residence = -1;
    grouped -= instance.group == null ? 0 : 1;
    moved(instance);
  }

  @Override
  public String toString() {
    return "host " + id();
  }
}
