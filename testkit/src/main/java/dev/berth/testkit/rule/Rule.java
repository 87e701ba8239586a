package dev.berth.testkit.rule;

import org.jspecify.annotations.Nullable;

/**
 * A rule of the contract. {@code docs/contract.md} explains each rule under the same number.
 *
 * <p>The name of a test contains number and title: {@code required_P03_neverOvercommits}.
 */
public enum Rule {
  /** Id and registration. */
  P01(
      "isRegisteredUnderItsId",
      "The id of the policy is well formed and unique, and the registry finds the policy by it."),
  /** Default configuration. */
  P02(
      "defaultsRoundTrip",
      "The default configuration can be written as JSON and read back unchanged."),
  /** Capacity. */
  P03("neverOvercommits", "No action makes a host hold more than its capacity, in any dimension."),
  /** Validity of actions. */
  P04(
      "actionsAreValid",
      "Actions name only existing hosts, instances, pools and bags, in a state that"
          + " permits the action."),
  /** Repeatability. */
  P05("sameSeedSamePlans", "The same seed and the same events give the same plans."),
  /** Statelessness. */
  P06("sameStateSamePlan", "The policy gives the same plan for the same cluster state."),
  /** Lifetime of views. */
  P07(
      "retainsNoViews",
      "The policy uses a view only during the call that received it, and only on that thread."),
  /** Safety margins. */
  P08(
      "respectsMargins",
      "An instance with slack beyond its safety margin is preempted only for an instance with less"
          + " slack. An instance within its margin is preempted only for one within its own margin"
          + " that is more important, or equally important with less slack. An instance beyond its"
          + " overhead limit is not preempted for its own class."),
  /** Reasons for deferral. */
  P09(
      "deferralsHaveReasons",
      "An instance may wait although a host had room for it only if the plan says why: it"
          + " defers the instance or its bag with a reason, or names the blocked head."),
  /** Cost. */
  P10(
      "costGrowsLinearly",
      "The number of queries in a pass grows no faster than pending instances times"
          + " hosts, and than instances per host."),
  /** Empty and tiny clusters. */
  P11(
      "handlesEmptyClusters",
      "The policy handles a cluster without hosts, with a single host, and with an empty queue."),
  /** Order of hosts. */
  P12("ignoresHostOrder", "The order in which hosts joined does not affect decisions."),
  /** Invalid configuration. */
  P13(
      "rejectsInvalidConfig",
      "The factory rejects an unusable configuration and names the path; an accepted"
          + " configuration makes a working policy."),
  /** Fairness; stated, not tested. */
  P14(
      "longRunFairness",
      "In the long run no instance starves unless the policy is documented to allow it."),
  /** Existence of instances. */
  P15("losesNoInstance", "Until an instance is done, it is pending or on one host."),
  /** Beneficiaries. */
  P16(
      "victimsHaveBeneficiaries",
      "A victim is preempted only if the same plan places its beneficiary on the victim's host, or"
          + " on that of another victim for it, of the same group."),
  /** Constraints. */
  P17(
      "constraintsHold",
      "Placement constraints and anti-affinity hold for an instance on the host that it comes to."),
  /** Minimal victim sets. */
  P18("victimSetsAreMinimal", "Each victim of a placement is necessary."),
  /** One action for each instance. */
  P19("noPingPong", "An instance is the subject of at most one action in a pass."),
  /** Work conservation. */
  P20(
      "conservesWork",
      "No instance waits, with a reason or without, if a host had room for it throughout"
          + " the pass."),
  /** Monotonicity. */
  P21(
      "moreCapacityNeverHurts",
      "A request that can be placed can also be placed if there is more capacity."),
  /** Exceptions. */
  P22("neverThrows", "The policy never throws."),
  /** Purity of parts. */
  P23(
      "partsArePure",
      "The parts of a pipeline answer the same when queried twice, retain nothing"
          + " that they are shown, and return scores and costs that are numbers."),
  /** Stable keys. */
  P24(
      "keysAreStable",
      "The keys of queue and victims do not change while an instance stays in its state."),
  /** Closed classes and other hints. */
  P25(
      "optimizationHintsHold",
      "If a verdict closes a class, the rule would refuse every later candidate of"
          + " that class; every other hint that saves queries holds too."),
  /** Declared capabilities. */
  P26("usesWhatItDeclares", "The policy uses the capabilities that it declares, and no others."),
  /** Unspecified order. */
  P27("ignoresUnspecifiedOrder", "Unspecified iteration order does not affect decisions."),
  /** Accounting. */
  P28("accountsForAllTime", "Service time and waiting time are what the events imply."),
  /** The reference model. */
  P29(
      "matchesReferenceModel",
      "The scheduler gives the plans of the reference model of its policy."),
  /** Bounds of grants. */
  P30(
      "grantsAreWithinBounds",
      "A grant is at least what is guaranteed, or what the cores can be molded to,"
          + " and at most the host's capacity."),
  /** Pausing and suspending. */
  P31(
      "pausedInstancesReleaseResources",
      "A paused instance releases its CPU and keeps the rest. A suspended instance"
          + " holds nothing. Neither accrues service time."),
  /** Migration. */
  P32(
      "migrationKeepsService",
      "A migrating instance moves from its host to another one and keeps its service time."),
  /** Oversubscription. */
  P33(
      "oversubscriptionIsDeclared",
      "Less than the previous grant or the demand is granted only in declared"
          + " dimensions, or of the cores of a moldable instance that is placed."),
  /** Rejection. */
  P34(
      "rejectionsAreFinal",
      "Only a pending instance that was never placed is rejected, and it does not appear again."),
  /** States for actions. */
  P35(
      "actsInValidStates",
      "Only running instances are paused; running or paused ones suspended; paused or"
          + " suspended ones resumed; starting, running or paused ones resized; running,"
          + " paused or suspended ones migrated."),
  /** Limits of pools. */
  P36(
      "respectsPoolLimits",
      "A pool never has more hosts, including those that start or stop, than its provider offers."),
  /** Release of hosts. */
  P37("releasesOnlyIdleHosts", "Only hosts of a pool without instances are released."),
  /** Hosts that are not up. */
  P38(
      "usesOnlyHostsThatAreUp",
      "A host receives no instance before it is up or after it was released."),
  /** End of bags. */
  P39(
      "reportsEndedBags",
      "A bag ends when its last instance does or when it is cancelled, at the latest"
          + " in the first pass after its time to live. It is reported once, with what it"
          + " received, and does not appear again."),
  /** Clusters of bags. */
  P40("bagsStayOnTheirCluster", "Instances of an assigned bag go to hosts of its cluster only."),
  /** Restarts. */
  P41(
      "boundsSwitching",
      "An instance is preempted for one that is not more important only while its restarts,"
          + " less an average one, have taken at most the promised share of its life."),
  /** Hosts that are closed. */
  P42(
      "usesOnlyOpenHosts",
      "Nothing is placed on, migrates to or resumes on a host that is cordoned, draining, or"
          + " holds more than its capacity."),
  /** Snapshots. */
  P43(
      "restoresState",
      "A scheduler that is restored from a snapshot continues as before: the policy saves and"
          + " restores all that it keeps from pass to pass."),
  // ---- Fleets that misbehave
  /** Late and doubled reports. */
  P44(
      "refusesStaleReports",
      "Each start of an instance has the next number. A report about an earlier attempt, or one"
          + " that comes again, is refused as stale and has no effect."),
  /** Actions that were not carried out. */
  P45(
      "undoesRejections",
      "After an open action is rejected, all is as if it, and what depends on it, had never been"
          + " decided. An action that is not open is not undone."),
  /** Questions. */
  P46(
      "previewsChangeNothing",
      "A question to the scheduler about its next pass changes nothing: the policy can return to"
          + " the memory that it saved."),
  /** What a fleet reports. */
  P47(
      "reconciles",
      "After a reconciliation, hosts, free capacity and instances are as the fleet reports them."
          + " The answer lists exactly what differed, and the same observation differs in nothing"
          + " again."),
  // ---- Taints and other instances
  /** Taints and rules about other instances. */
  P48(
      "obeysPlacementRules",
      "An instance comes only to a host whose taints it tolerates, and where neither its rules"
          + " about other instances nor theirs about it are broken. On a host that cannot be"
          + " reached, it is at most evicted or stopped for good."),
  // ---- Counted limits
  /** Counted limits. */
  P49(
      "respectsLimits",
      "An instance that uses counted limits is placed only where none of them is exceeded once its"
          + " victims have left. A migration makes none exceeded, or exceeded by more."),
  // ---- Disruption budgets
  /** Disruption budgets. */
  P50(
      "keepsBudgets",
      "No running instance is preempted, moved, evicted, paused or suspended beyond the disruption"
          + " budget of its job, unless its host cannot be reached. A bag is not cancelled below the"
          + " members that must stay up, unless it has expired."),
  // ---- Groups
  /** Groups. */
  P51(
      "startsGroupsTogether",
      "A plan starts at least as many members of a group as must run together, or none. A group"
          + " that lost too many of them is evicted as a whole if it says so"
          + " and disruption budgets allow it."),
  // ---- Work that is lost
  /** Instances that lose their progress. */
  P52(
      "sparesProgress",
      "An instance that loses its progress is preempted only for a more important one."),
  // ---- How often an instance is preempted
  /** How often equals preempt an instance. */
  P53(
      "spacesPreemptions",
      "An instance is preempted for an equally important one only when it has run since its last"
          + " start for at least a twentieth of its earlier service. So equals preempt it"
          + " O(log(run time)) times."),
  // ---- Longest run times
  /** Instances that have run too long. */
  P54(
      "stopsInTime",
      "A pass stops each instance whose longest run time is over, unless its fleet could not in the"
          + " last minute, and none before. The action has a report of its service."),
  // ---- Groups as victims
  /** Groups that lose members. */
  P55(
      "breaksNoGroup",
      "A group from which a plan preempts members has enough of them on hosts after the plan, or"
          + " none."),
  // ---- Dependencies
  /** Instances that are to start after others. */
  P56(
      "startsAfterOthers",
      "An instance never starts before those that its request is to start after have completed.");

  private final String title;
  private final String statement;

  Rule(String title, String statement) {
    this.title = title;
    this.statement = statement;
  }

  /** Returns the short name, as in the names of tests: {@code "neverOvercommits"}. */
  public String title() {
    return title;
  }

  /** Returns the rule in one or a few sentences. */
  public String statement() {
    return statement;
  }

  /**
   * Returns the report of a violation, for throwing.
   *
   * @param format the violation, as a format of its values: {@code "%s holds %s of %s"}
   */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation is of another library
  public RuleBroken broken(String format, @Nullable Object... values) {
    return new RuleBroken(this, format.formatted(values));
  }

  /** Returns number and title: {@code "P03 neverOvercommits"}. */
  @Override
  public String toString() {
    return name() + " " + title;
  }
}
