package dev.berth.core.internal.search;

import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.VictimCost;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.PlacementRules;
import dev.berth.core.internal.rule.PeerRules;
import dev.berth.core.internal.state.ClusterState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best host for an instance, and shares what it learns with the other requests of the
 * {@link EquivalenceClass}. It skips only hosts that cannot be the result:
 *
 * <ul>
 *   <li>A host that is infeasible for one request stays infeasible for the class, also in later
 *       passes, until the host changes or a refusal of the preemption rule expires. It is evaluated
 *       for each request if the search left out victims that disruption budgets allow: with fewer
 *       eligible candidates, it may find them.
 *   <li>The costs of preemption are kept as {@link PreemptionCandidates} for the class in one run.
 * </ul>
 */
final class ClassSearch implements HostTrie.Visitor {

  private static final int MAX_CANDIDATE_SETS = 64; // each takes memory for all hosts
  private static final int FEW = 64; // hosts; so few are best evaluated one by one
  private static final int MANY_ALIKE = 4; // requests; for so many, candidates are likely to pay

  private final ClusterState state;
  private final HostTable table;
  private final Selection selection;
  private final FitView fit;
  private final HostEligibility hosts;
  private final VictimSearch victims;
  private final RoomSearch room;
  private final PreemptionSearch preemption;
  private final boolean sharesFailures;
  private final boolean sharesCandidates;

  private final List<PreemptionCandidates> allCandidates = new ArrayList<>(); // for reuse
  private int candidatesInUse;
  private final ArrayDeque<EquivalenceClass> candidateOwners = new ArrayDeque<>();
  private final List<HostRecord> changed = new ArrayList<>(); // since the class knew all hosts
  private final int costWidth;
  private long run; // counts the runs of the pipeline
  private boolean failedForClass;
  private boolean budgetDecides; // on some host, as VictimSearch defines it

  /**
   * Prepares a search.
   *
   * @param roomAndVictimsDecide whether neither filters nor an allocation rule decide on hosts
   */
  ClassSearch(
      PipelineParts parts,
      Selection selection,
      HostEligibility hosts,
      VictimSearch victims,
      RoomSearch room,
      PreemptionSearch preemption,
      boolean roomAndVictimsDecide) {
    this.state = parts.state();
    this.table = state.table();
    this.selection = selection;
    this.fit = selection.fit;
    this.hosts = hosts;
    this.victims = victims;
    this.room = room;
    this.preemption = preemption;
    this.costWidth = selection.cost().length;
    this.sharesFailures =
        roomAndVictimsDecide
            && (parts.rule() == null || parts.rule() instanceof MonotonePreemptionRule);
    this.sharesCandidates =
        sharesFailures && room.isIndexed() && parts.cost() instanceof VictimCost;
  }

  /** Returns whether a host that is infeasible for one request is so for its class. */
  boolean sharesFailures() {
    return sharesFailures;
  }

  /** Prepares for the decisions of one run. */
  void begin() {
    run++;
    for (EquivalenceClass each = candidateOwners.poll();
        each != null;
        each = candidateOwners.poll()) {
      if (each.candidates() != null) {
        each.candidates().handOver(each);
        each.shareNoLonger();
      }
    }
    candidatesInUse = 0;
  }

  void start() {
    failedForClass = false;
    budgetDecides = false;
  }

  /**
   * Returns whether the last choice failed, also for every member of the class with an equal or
   * higher value.
   */
  boolean failedForClass() {
    return failedForClass;
  }

  /** Returns the class of an instance if it shares what it learns, or null. */
  @Nullable EquivalenceClass classOf(InstanceRecord instance) {
    return sharesFailures
            && instance.bag == null
            && instance.limits() == null // instances on other hosts may use them
            && instance.queueEntry() instanceof EquivalenceClass equivalenceClass
        ? equivalenceClass
        : null;
  }

  /**
   * Returns whether an instance is certain to find no host: nothing changed since others failed.
   */
  boolean isKnownToFail(InstanceRecord instance) {
    if (HostEligibility.hasRules(instance)) {
      return false; // a placement elsewhere may change that
    }
    EquivalenceClass equivalenceClass = classOf(instance);
    return equivalenceClass != null && nothingHasChanged(instance, equivalenceClass);
  }

  private boolean nothingHasChanged(InstanceRecord instance, EquivalenceClass equivalenceClass) {
    if (!equivalenceClass.knows(instance) || equivalenceClass.hasHostsDue(fit.now)) {
      return false;
    }
    HostRecord latest = state.latestChanged();
    return latest == null || latest.version() <= equivalenceClass.knownVersion();
  }

  /** Finds the best host for an instance, evaluating only hosts that may be feasible. */
  void choose(InstanceRecord instance, EquivalenceClass equivalenceClass) {
    try {
      if (HostEligibility.hasRules(instance)) {
        searchWithRules(instance, equivalenceClass);
      } else {
        search(instance, equivalenceClass);
      }
    } catch (Throwable failure) { // of a part of the policy, before the class has learnt all
      equivalenceClass.forget();
      throw failure;
    }
  }

  /**
   * Searches for an instance that has rules about peers. Whether it may be on a host depends on
   * other hosts, so the class shares only that there is no host at all, until anything changes.
   */
  private void searchWithRules(InstanceRecord instance, EquivalenceClass equivalenceClass) {
    long peers = state.peers().changes();
    if (equivalenceClass.knownPeers() == peers && nothingHasChanged(instance, equivalenceClass)) {
      return;
    }
    equivalenceClass.forget();
    room.choose(instance);
    if (selection.isEmpty() && victims.preempts()) {
      for (HostRecord host = hosts.first(instance);
          host != null;
          host = hosts.next(instance, host)) {
        if (hosts.mayAdmit(instance, host)) {
          if (!victims.findAndDate(host, fit.grant.amounts())) {
            boolean maySucceed = victims.budgetDecides(); // with fewer eligible candidates
            equivalenceClass.retry(maySucceed ? fit.now : victims.refusedUntil(), host.slot());
          } else if (hosts.admitsWith(instance, host, victims)) {
            preemption.consider(instance, host);
          } else {
            equivalenceClass.retry(fit.now, host.slot()); // other victims may do at any time
          }
        }
      }
    }
    if (selection.isEmpty()) {
      equivalenceClass.learnWithPeers(instance.victimKey(), state.versions(), peers);
    } else {
      equivalenceClass.forget();
    }
  }

  private void search(InstanceRecord instance, EquivalenceClass equivalenceClass) {
    if (equivalenceClass.hasFailed(instance, run, state.versions())) {
      failedForClass = true;
      return;
    }
    PreemptionCandidates candidates = equivalenceClass.candidates();
    boolean alone = PeerRules.mayRefuse(instance); // others may need other victims
    boolean served = !alone && candidates != null && candidates.serve(instance);
    boolean known =
        !served
            && equivalenceClass.knows(instance)
            && equivalenceClass.retries() <= 2 * table.slots() + FEW
            && collectChanged(equivalenceClass.knownVersion());
    if (known && changed.size() <= FEW && !equivalenceClass.mayHaveRoom()) {
      for (HostRecord host : changed) { // no other host has room
        room.consider(instance, host);
      }
    } else {
      room.choose(instance);
    }
    if (!selection.isEmpty()) {
      return;
    }
    if (known) {
      equivalenceClass.openDue(fit.now, run);
    } else if (!served) {
      equivalenceClass.forget();
    }
    if (!victims.preempts()) {
      if (!hosts.blockedBySibling()) {
        equivalenceClass.learn(instance.victimKey(), state.versions(), false);
      }
    } else if (candidates != null && served) {
      chooseCandidate(instance, equivalenceClass, candidates);
    } else {
      boolean again =
          equivalenceClass.isSearchedAgain(run) || equivalenceClass.size() >= MANY_ALIKE;
      boolean many = !known || changed.size() + equivalenceClass.openCount() > FEW;
      boolean first = !known || equivalenceClass.isLowest(instance);
      boolean alike = !alone && instance.rules() == null && !state.peers().discourage(); // by worth
      PreemptionCandidates fresh =
          again && many && first && alike && sharesCandidates ? newCandidates() : null;
      if (fresh != null) {
        evaluateAll(instance, equivalenceClass, known, fresh);
        chooseCandidate(instance, equivalenceClass, fresh);
      } else {
        considerEach(instance, equivalenceClass, known, first);
      }
    }
    failedForClass = selection.isEmpty() && !hosts.blockedBySibling() && !budgetDecides;
    if (failedForClass) {
      equivalenceClass.fails(instance, run, state.versions());
    }
  }

  /**
   * Collects the hosts that have changed since a version; returns whether they are few enough for
   * knowledge of the other hosts to pay.
   */
  private boolean collectChanged(long version) {
    changed.clear();
    int most = FEW + table.slots() / 4;
    HostRecord host = state.latestChanged();
    while (host != null && host.version() > version && changed.size() <= most) {
      changed.add(host);
      host = host.changedBefore();
    }
    return changed.size() <= most;
  }

  // ---- One host at a time

  /**
   * Evaluates each host that may be feasible with preemption.
   *
   * @param known whether the class knows all hosts except the changed and the open ones
   * @param learns whether the class learns the result, which holds only for equal or higher values
   */
  private void considerEach(
      InstanceRecord instance, EquivalenceClass equivalenceClass, boolean known, boolean learns) {
    long version = equivalenceClass.knownVersion();
    if (known) {
      for (int i = equivalenceClass.openCount() - 1; i >= 0; i--) {
        HostRecord host = table.host(equivalenceClass.openSlot(i));
        boolean infeasible =
            host == null
                || host.version() > version
                || isInfeasible(instance, equivalenceClass, host, learns);
        if (infeasible && learns) {
          equivalenceClass.close(i);
        }
      }
      for (HostRecord host : changed) {
        if (!isInfeasible(instance, equivalenceClass, host, learns) && learns) {
          equivalenceClass.open(host.slot());
        }
      }
    } else {
      for (HostRecord host = hosts.first(instance);
          host != null;
          host = hosts.next(instance, host)) {
        if (!isInfeasible(instance, equivalenceClass, host, true)) {
          equivalenceClass.open(host.slot());
        }
      }
    }
    if (learns) {
      boolean mayHaveRoom = hosts.blockedBySibling() || (known && equivalenceClass.mayHaveRoom());
      equivalenceClass.learn(instance.victimKey(), state.versions(), mayHaveRoom);
    }
  }

  /**
   * Evaluates a host; returns whether it is infeasible for all of the class with an equal or higher
   * value.
   */
  private boolean isInfeasible(
      InstanceRecord instance, EquivalenceClass equivalenceClass, HostRecord host, boolean learns) {
    if (!PlacementRules.mayRunOn(instance, host)) {
      return true;
    }
    if (!hosts.mayAdmit(instance, host)) {
      // Otherwise the sibling or peer blocks only this instance
      return instance.antiAffinity && PlacementRules.isKeptOff(instance, host);
    }
    long[] demand = fit.grant.amounts();
    boolean found = learns ? victims.findAndDate(host, demand) : victims.find(host, demand);
    if (found) {
      preemption.consider(instance, host);
    } else if (victims.budgetDecides()) {
      budgetDecides = true;
      return false;
    } else if (hosts.isCrowded(instance, host)) {
      return false; // others may need fewer victims
    } else if (learns) {
      equivalenceClass.retry(victims.refusedUntil(), host.slot());
    }
    return !found;
  }

  // ---- Candidates for the whole class

  private @Nullable PreemptionCandidates newCandidates() {
    if (candidatesInUse == MAX_CANDIDATE_SETS) {
      return null;
    }
    if (candidatesInUse == allCandidates.size()) {
      allCandidates.add(new PreemptionCandidates(costWidth));
    }
    PreemptionCandidates candidates = allCandidates.get(candidatesInUse++);
    candidates.clear();
    return candidates;
  }

  /** Evaluates all hosts that may be feasible for a class. */
  private void evaluateAll(
      InstanceRecord instance,
      EquivalenceClass equivalenceClass,
      boolean known,
      PreemptionCandidates candidates) {
    if (known) {
      for (int i = 0; i < equivalenceClass.openCount(); i++) {
        HostRecord host = table.host(equivalenceClass.openSlot(i));
        if (host != null) {
          evaluate(instance, host, equivalenceClass, candidates);
        }
      }
      for (HostRecord host : changed) {
        evaluate(instance, host, equivalenceClass, candidates);
      }
    } else {
      for (HostRecord host = hosts.first(instance);
          host != null;
          host = hosts.next(instance, host)) {
        evaluate(instance, host, equivalenceClass, candidates);
      }
    }
    candidates.areValidFor(instance, state.versions());
    equivalenceClass.share(candidates);
    candidateOwners.add(equivalenceClass);
  }

  private void chooseCandidate(
      InstanceRecord instance, EquivalenceClass equivalenceClass, PreemptionCandidates candidates) {
    HostRecord host = state.latestChanged();
    while (host != null && host.version() > candidates.version()) {
      evaluate(instance, host, equivalenceClass, candidates);
      host = host.changedBefore();
    }
    while (candidates.hasExpired(victims.beneficiaryValue())) {
      HostRecord expired = table.host(candidates.pollExpired());
      if (expired != null) {
        evaluate(instance, expired, equivalenceClass, candidates);
      }
    }
    candidates.areValidFor(instance, state.versions());
    budgetDecides |= candidates.hasDoubtful();
    selection.needsVictims(selection.visitBestOf(candidates, this));
    if (candidates.isEmpty()) {
      candidates.handOver(equivalenceClass); // known failures are cheaper for the next instances
      equivalenceClass.shareNoLonger();
    }
  }

  private void evaluate(
      InstanceRecord instance,
      HostRecord host,
      EquivalenceClass equivalenceClass,
      PreemptionCandidates candidates) {
    candidates.remove(host.slot());
    if (!PlacementRules.mayRunOn(instance, host)
        || (instance.antiAffinity && PlacementRules.isKeptOff(instance, host))) {
      return;
    }
    if (!victims.findAndDate(host, fit.grant.amounts())) {
      if (victims.budgetDecides()) {
        candidates.doubt(host.slot(), victims.beneficiaryValue());
      }
      equivalenceClass.retry(victims.refusedUntil(), host.slot());
      return;
    }
    victims.addUpCost(host, selection.cost());
    long upTo = Math.max(victims.allowedUpTo(), victims.beneficiaryValue());
    candidates.add(host, selection.cost(), selection.scoreOf(host), upTo);
  }

  /** Evaluates one of the cheapest candidates. */
  @Override
  public boolean visit(int slot) {
    HostRecord host = table.host(slot);
    InstanceRecord instance = fit.instance;
    if (host == null || instance == null || !hosts.admits(instance, host)) {
      return false;
    }
    long tie = selection.tieOf(host);
    if (selection.isEmpty() || selection.winsTie(host, tie)) {
      selection.keep(host, 0, Double.NaN, tie); // scored only if it is recorded
    }
    return true;
  }
}
