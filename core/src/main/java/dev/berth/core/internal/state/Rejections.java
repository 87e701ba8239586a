package dev.berth.core.internal.state;

import dev.berth.api.InstanceState;
import dev.berth.api.Usage;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Rejection;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.internal.action.ActionLedger;
import dev.berth.core.internal.action.Before;
import dev.berth.core.internal.action.OpenAction;
import dev.berth.core.internal.action.OpenAction.Kind;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.SavedInstance;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.ProvidedHost;
import dev.berth.core.internal.group.GroupRecord;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Undoes actions that a fleet could not carry out, as if they had never been decided, with those
 * that depend on them:
 *
 * <ul>
 *   <li>later actions on the same instance, host or bag;
 *   <li>the placement for which a victim was preempted, if the victim is on its host again;
 *   <li>the release of a host that an instance returns to;
 *   <li>where an instance gets back what it held: later starts and grants that took it, the latest
 *       first, until the host holds everything again, and starts that its anti-affinity forbids;
 *   <li>later starts that only an undone assignment of a bag allowed.
 * </ul>
 *
 * <p>Only open actions are undone. Where others have taken the room, the host holds more than its
 * capacity.
 */
public final class Rejections {

  private static final Comparator<OpenAction> LATEST_FIRST =
      (a, b) -> a.isLaterThan(b) ? -1 : b.isLaterThan(a) ? 1 : 0;

  private static final BigInteger LEAST_FREE = BigInteger.valueOf(Long.MIN_VALUE);

  private final Events events;
  private final ClusterState state;
  private final Transitions transitions;
  private final ActionLedger ledger;

  private final List<OpenAction> undone = new ArrayList<>();
  private final Set<OpenAction> included = new HashSet<>(); // the same, by identity
  private final Map<InstanceRecord, OpenAction> earliest = new LinkedHashMap<>(); // undone, of each
  private final Map<InstanceRecord, @Nullable Usage> lateUsage = new HashMap<>(); // looked up
  private final Map<InstanceRecord, @Nullable Usage> latePreviousUsage = new HashMap<>();
  private final Map<InstanceRecord, Long> stopped = new HashMap<>(); // when, if its next host left
  private final List<OpenAction> causes = new ArrayList<>(); // whose dependents are not known yet

  /** Prepares the rejection of one action. */
  public Rejections(Events events) {
    this.events = events;
    this.state = events.state();
    this.transitions = events.transitions();
    this.ledger = state.openActions();
  }

  /** Undoes an action and what depends on it. */
  public Rejection rejected(ActionId id, String why, long now) {
    OpenAction root = ledger.find(id.pass(), id.index());
    if (root == null || !canBeUndone(root)) {
      throw Code.STALE.refusal(
          "%s is rejected, but it is not open: it was carried out or undone, a later action"
              + " replaced it, its host left, or there was no such action.",
          id.toString());
    }
    state.requireNotPast(now, "", id.toString(), " is rejected");
    include(root);
    includeDependents();
    requireCountable(id);
    for (OpenAction each : earliest.values()) {
      if (each.kind() == Kind.RESIZE) {
        rekey(each);
      }
    }
    undone.sort(LATEST_FIRST);
    List<Rejection.Undone> told = new ArrayList<>(undone.size());
    for (OpenAction each : undone) {
      told.add(new Rejection.Undone(each.id(), each.decided()));
    }
    state.beginChange();
    state.setNow(now);
    InstanceRecord waiting = root.kind() == Kind.PLACE ? root.instance() : null; // others go on
    InstanceRecord running = root.kind() == Kind.STOP ? root.instance() : null; // again
    if (root.decided() instanceof Action.Starts start) {
      state.backoffs().failed(waiting, state.hostRecord(start.host()), now);
    }
    Set<HostRecord> homes = new LinkedHashSet<>();
    for (OpenAction each : undone) {
      for (Before it : returning(each)) {
        homes.add(it.former().host());
      }
      undo(each);
      ledger.remove(each);
    }
    if (running != null) {
      state.runLimits().postpone(running, now);
    }
    for (InstanceRecord each : earliest.keySet()) {
      if (each.place() != null) {
        state.backoffs().isOnHost(each);
      }
    }
    for (HostRecord each : homes) {
      if (each != null && each.isIn(state.table())) {
        state.closings().checkCapacity(each); // it may hold too much now
      }
    }
    boolean givesUp = false;
    if (waiting != null && waiting.isGivenUp()) {
      events.instances().end(waiting, now, now, true, OptionalLong.empty());
      givesUp = true;
    }
    state.endChange();
    return new Rejection(id, why, told, givesUp);
  }

  // ---- What can be undone

  private boolean canBeUndone(OpenAction action) {
    InstanceRecord instance = action.instance();
    if (instance == null) {
      return switch (action.kind()) {
        case CANCEL -> canComeBack(action);
        case ASSIGN -> action.bag() != null && state.bags.get(action.bag().id()) == action.bag();
        default -> true;
      };
    }
    if (action.kind().endsInstance()) {
      BagRecord bag = BagRecord.of(instance);
      BagRecord present = bag == null ? null : state.bags.get(bag.id());
      GroupRecord group = GroupRecord.of(instance);
      GroupRecord presentGroup = group == null ? null : state.groups.get(group.id());
      return state.instanceRecord(instance.id()) == null
          && (present == null || present == bag)
          && (presentGroup == null || presentGroup == group)
          && isPresent(action.former().host());
    }
    boolean isReplaced = action.kind().isUnconfirmed() && instance.openAction() != action;
    return instance.state() != InstanceState.DONE
        && !isReplaced
        && isPresent(action.former().host());
  }

  private boolean canComeBack(OpenAction cancelled) {
    if (cancelled.bag() == null || state.bags.containsKey(cancelled.bag().id())) {
      return false;
    }
    for (Before each : cancelled.members()) {
      if (state.instanceRecord(each.subject().id()) != null || !isPresent(each.former().host())) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a host has not left, or can be taken back from its release. */
  private boolean isPresent(@Nullable HostRecord host) {
    return host == null || host.isIn(state.table()) || releaseOf(host) != null;
  }

  private @Nullable OpenAction releaseOf(HostRecord host) {
    ProvidedHost leaving = state.pools().provided(host.id());
    if (leaving == null || leaving.record() != host) {
      return null;
    }
    return leaving.releasedBy() instanceof OpenAction release && release.isOpen() ? release : null;
  }

  // ---- What depends on it

  /** Includes an action and all later ones on its instance. */
  private void include(OpenAction action) {
    if (included.contains(action)) {
      return;
    }
    InstanceRecord instance = action.instance();
    OpenAction each = instance == null ? action : ActionLedger.latest(instance);
    while (each != null) {
      if (included.add(each)) {
        undone.add(each);
      }
      if (each == action) {
        break;
      }
      each = each.below();
    }
    if (instance != null) {
      earliest.put(instance, action);
    }
    causes.add(action);
  }

  private void includeDependents() {
    boolean complete = false;
    while (!complete) {
      for (int i = 0; i < causes.size(); i++) { // grows meanwhile
        includeDirect(causes.get(i));
      }
      complete = true;
      for (int i = 0; i < causes.size() && complete; i++) {
        OpenAction taker = takerOfRoom(causes.get(i));
        if (taker != null) {
          include(taker);
          complete = false;
        }
      }
    }
  }

  private void includeDirect(OpenAction cause) {
    for (Before each : returning(cause)) {
      HostRecord home = each.former().host();
      OpenAction release = home == null ? null : releaseOf(home);
      if (release != null) {
        include(release);
      }
    }
    if (cause.beneficiary() != null) { // a preemption
      OpenAction placed = latestStart(cause.beneficiary(), Kind.PLACE, cause.pass());
      if (placed != null && canBeUndone(placed)) {
        include(placed);
      }
    } else if (cause.kind() == Kind.PROVISION) {
      Action.Provision provision = (Action.Provision) cause.decided();
      for (String each : provision.hosts()) {
        ProvidedHost host = state.pools().provided(each);
        if (host != null && host.releasedBy() instanceof OpenAction release && release.isOpen()) {
          include(release);
        }
      }
    } else if (cause.kind() == Kind.ASSIGN) {
      includeOfBag(cause);
    }
  }

  /** Returns the instances that an undone action returns to their hosts. */
  private static List<? extends Before> returning(OpenAction cause) {
    return cause.instance() == null ? cause.members() : List.of(cause);
  }

  private static @Nullable OpenAction latestStart(InstanceRecord instance, Kind kind, long pass) {
    for (OpenAction each = ActionLedger.latest(instance); each != null; each = each.below()) {
      if (each.kind() == kind && each.pass() == pass) {
        return each;
      }
    }
    return null;
  }

  /** Includes later assignments of the bag, and the starts that its former cluster forbids. */
  private void includeOfBag(OpenAction assigned) {
    BagRecord bag = assigned.bag();
    if (bag == null) {
      return;
    }
    String former = assigned.formerCluster();
    for (OpenAction each = ledger.after(assigned.place());
        each != null;
        each = ledger.after(each.place())) {
      InstanceRecord instance = each.instance();
      if (each.kind() == Kind.ASSIGN && each.bag() == bag) {
        include(each);
      } else if (instance != null
          && instance.bag == bag
          && each.kind().starts()
          && former != null
          && instance.place() != null
          && !former.equals(instance.place().cluster)
          && canBeUndone(each)) {
        include(each);
      }
    }
  }

  /** Returns an action that took the room of an instance that an undone action returns, or null. */
  private @Nullable OpenAction takerOfRoom(OpenAction cause) {
    for (Before each : returning(cause)) {
      HostRecord host = each.former().host();
      if (host == null || !host.isIn(state.table())) { // a released host was empty
        continue;
      }
      InstanceRecord instance = each.subject();
      OpenAction first = earliest.get(instance);
      if (first != null && first != cause) {
        continue; // it does not stay there
      }
      OpenAction conflicting = conflicting(instance, host, cause);
      if (conflicting != null) {
        return conflicting;
      }
      Set<Integer> scarce = scarce(host);
      if (!scarce.isEmpty()) {
        OpenAction taker = latestTaker(host, cause, scarce);
        if (taker != null) {
          return taker;
        }
      }
    }
    return null;
  }

  /** Returns a later start on a host that anti-affinity with a returning instance forbids. */
  private @Nullable OpenAction conflicting(
      InstanceRecord instance, HostRecord host, OpenAction cause) {
    if (instance.job == null) {
      return null;
    }
    for (InstanceRecord each : host.residents) {
      if (each != instance
          && each.job == instance.job
          && (each.antiAffinity || instance.antiAffinity)
          && !earliest.containsKey(each)) {
        for (OpenAction start = ActionLedger.latest(each); start != null; start = start.below()) {
          if (start.kind().starts()
              && start.former().host() != host
              && start.isLaterThan(cause)
              && canBeUndone(start)) {
            return start;
          }
        }
      }
    }
    return null;
  }

  /** Returns the dimensions in which a host will hold more than its capacity. */
  private Set<Integer> scarce(HostRecord host) {
    Set<Integer> scarce = new HashSet<>();
    for (int d = 0; d < state.table().dimensions(); d++) {
      if (freeAfterwards(host, d).signum() < 0) {
        scarce.add(d);
      }
    }
    return scarce;
  }

  /**
   * Returns what will be free on a host; what returns may be more than a {@code long} can count.
   */
  private BigInteger freeAfterwards(HostRecord host, int dimension) {
    BigInteger free = BigInteger.valueOf(state.table().free(host.slot(), dimension));
    for (Map.Entry<InstanceRecord, OpenAction> each : earliest.entrySet()) {
      long change = change(each.getKey(), each.getValue(), host, dimension);
      free = free.add(BigInteger.valueOf(change));
    }
    for (OpenAction cause : undone) {
      for (Before each : cause.members()) {
        free = free.add(BigInteger.valueOf(change(each.subject(), each, host, dimension)));
      }
    }
    return free;
  }

  /** Refuses to return more to a host than can be counted. */
  private void requireCountable(ActionId id) {
    for (OpenAction cause : undone) {
      for (Before each : returning(cause)) {
        HostRecord home = each.former().host();
        if (home == null || !home.isIn(state.table())) {
          continue;
        }
        for (int d = 0; d < state.table().dimensions(); d++) {
          if (freeAfterwards(home, d).compareTo(LEAST_FREE) <= 0) {
            throw new EventRefusedException(
                Code.TOO_LARGE,
                home.id(),
                "%s is rejected, but what host %s would hold then is too great to add up."
                    .formatted(id, home.id()));
          }
        }
      }
    }
  }

  /** Returns how much undoing frees on a host; negative if it takes more. */
  private static long change(InstanceRecord instance, Before to, HostRecord host, int dimension) {
    long now = instance.place() == host ? amount(instance.held(), dimension) : 0;
    long then = to.former().host() == host ? amount(to.former().held(), dimension) : 0;
    return now - then;
  }

  private static long amount(long[] amounts, int dimension) {
    return dimension < amounts.length ? amounts[dimension] : 0;
  }

  /** Returns the latest action after another that took something scarce on a host, or null. */
  private @Nullable OpenAction latestTaker(HostRecord host, OpenAction cause, Set<Integer> scarce) {
    for (OpenAction each = ledger.before(ledger.end());
        each != null && each.isLaterThan(cause);
        each = ledger.before(each.place())) {
      InstanceRecord instance = each.instance();
      if (!included.contains(each)
          && instance != null
          && hostAfterwards(instance) == host
          && (each.kind().starts() || each.kind() == Kind.RESIZE)
          && canBeUndone(each)) {
        for (int d : scarce) {
          long before = each.former().host() == host ? amount(each.former().held(), d) : 0;
          if (amount(heldAfterwards(instance), d) > before) {
            return each;
          }
        }
      }
    }
    return null;
  }

  /** Returns where an instance will be once the actions found so far are undone. */
  private @Nullable HostRecord hostAfterwards(InstanceRecord instance) {
    OpenAction first = earliest.get(instance);
    return first == null ? instance.place() : first.former().host();
  }

  private long[] heldAfterwards(InstanceRecord instance) {
    OpenAction first = earliest.get(instance);
    return first == null ? instance.held() : first.former().held();
  }

  // ---- Undoing

  /** Computes the keys that an instance has with its former grant; it may have started since. */
  private void rekey(OpenAction resized) {
    InstanceRecord instance = resized.subject();
    SavedInstance present = transitions.begin(instance);
    instance.restoreGrant(resized.former());
    transitions.rekey(instance, present);
    instance.saveNextKeys(resized.former());
    instance.restore(present);
    state.revertChange();
  }

  private void undo(OpenAction action) {
    InstanceRecord instance = action.instance();
    if (instance != null) {
      if (action.kind().endsInstance()) {
        bringBack(instance);
      }
      goBack(instance, action);
      if (action.kind() == Kind.PLACE) {
        passOnLatestPlacement(action);
      }
    } else if (action.bag() != null && action.kind() == Kind.CANCEL) {
      List<InstanceRecord> members = new ArrayList<>();
      action.members().forEach(each -> members.add(each.subject()));
      state.bringBack(members);
      members.forEach(each -> state.ended().remove(each.id()));
      state.bringBack(action.bag());
      for (int i = action.members().size() - 1; i >= 0; i--) {
        goBack(action.members().get(i).subject(), action.members().get(i));
      }
    } else if (action.change() != null) {
      action.change().undo();
    }
  }

  private void bringBack(InstanceRecord ended) {
    state.bringBack(List.of(ended));
    state.ended().remove(ended.id());
    BagRecord bag = BagRecord.of(ended);
    if (bag != null) {
      bag.returned(ended, false);
      state.changed(bag);
      if (!state.bags.containsKey(bag.id())) {
        state.bringBack(bag);
      }
    }
    GroupRecord group = GroupRecord.of(ended);
    if (group != null) {
      group.returned(ended, false);
      state.changed(group);
      if (!state.groups.containsKey(group.id())) {
        state.bringBack(group);
      }
    }
  }

  /** Returns an instance to its state before an action; usage reported since then is kept. */
  private void goBack(InstanceRecord instance, Before before) {
    SavedInstance former = before.former();
    if (former.host() != null && !former.host().isIn(state.table())) {
      // An earlier action is undone too, from before the host that has left
      stopped.put(instance, former.stateSince());
      if (former.usage() != null) {
        lateUsage.put(instance, former.usage());
        latePreviousUsage.put(instance, former.previousUsage());
      }
      return;
    }
    SavedInstance present = transitions.begin(instance);
    boolean stayed = former.host() != null && former.host() == present.host();
    boolean moved = former.host() != null && present.host() != null && !stayed;
    if (stayed && former.state() != InstanceState.PENDING && isResize(before)) {
      instance.restoreGrant(former);
      instance.restoreKeys(former);
    } else {
      instance.restore(former);
    }
    if (stayed) {
      instance.restoreUsage(present);
    } else if (moved) {
      keepUsage(instance, present.usage(), present.previousUsage());
    } else if (former.host() != null) {
      keepUsage(instance, lateUsage.remove(instance), latePreviousUsage.remove(instance));
    } else if (present.usage() != null) { // of an undone start; it never left its former host
      lateUsage.put(instance, present.usage());
      latePreviousUsage.put(instance, present.previousUsage());
    }
    Long since = stopped.remove(instance);
    transitions.goBack(instance, former, present, since == null ? present.stateSince() : since);
    state.endChange();
  }

  /** Adds one or two usage reports to those before an action. */
  private static void keepUsage(
      InstanceRecord instance, @Nullable Usage usage, @Nullable Usage previousUsage) {
    if (usage != null) {
      if (previousUsage != null) {
        instance.uses(previousUsage);
      }
      instance.uses(usage);
    }
  }

  private static boolean isResize(Before before) {
    return before instanceof OpenAction action && action.kind() == Kind.RESIZE;
  }

  /** Has the next placement, or the cluster, know the placement before an undone one. */
  private void passOnLatestPlacement(OpenAction placed) {
    long number = placed.number();
    if (state.latestPlacementNumber() == number) {
      state.setLatestPlacement(placed.latestPlacement(), placed.latestPlacementNumber());
      return;
    }
    for (OpenAction each = ledger.after(placed.place());
        each != null;
        each = ledger.after(each.place())) {
      if (each.kind() == Kind.PLACE) {
        if (each.latestPlacementNumber() == number) {
          each.follows(placed);
        }
        return;
      }
    }
  }
}
