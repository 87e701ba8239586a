package dev.berth.testkit.rule;

/**
 * A rule of the contract; {@code docs/contract.md} has the same numbers with more words.
 *
 * <p>Tests bear the number and the title in their names: {@code required_P03_neverOvercommits}.
 */
public enum Rule {
  /** The id. */
  P01("isRegisteredUnderItsId", "Its id is well formed and unique, and the policy is found by it."),
  /** The defaults. */
  P02("defaultsRoundTrip", "Its default configuration becomes JSON and binds from it again."),
  /** Capacity. */
  P03("neverOvercommits", "No host holds more than its capacity, in any dimension, at any time."),
  /** Senseless actions. */
  P04(
      "actionsAreValid",
      "Actions name only hosts, instances, pools and bags that are there, in a state to be acted"
          + " on."),
  /** Repeatability. */
  P05("sameSeedSamePlans", "The same seed and the same events give the same plans."),
  /** Memory. */
  P06("sameStateSamePlan", "The same cluster, looked at twice, gives the same plan twice."),
  /** Views. */
  P07("retainsNoViews", "It uses no view after the call that gave it, nor on another thread."),
  /** Margins. */
  P08(
      "respectsMargins",
      "Who has slack beyond its safety margin is preempted only for somebody with less; who has"
          + " not, only for somebody within theirs, of a more important class, or of an equal one"
          + " with less slack; and nobody for its own class after too many restarts."),
  /** Reasons. */
  P09(
      "deferralsHaveReasons",
      "Whom it leaves waiting though a host has room, it defers, with a reason in words."),
  /** Cost. */
  P10(
      "costGrowsLinearly",
      "What it asks in a pass grows no faster than pending instances times hosts, and than"
          + " instances per host."),
  /** Small clusters. */
  P11("handlesEmptyClusters", "No host, a single host and an empty queue are nothing special."),
  /** Order of hosts. */
  P12("ignoresHostOrder", "The order in which hosts joined decides nothing."),
  /** Bad configuration. */
  P13(
      "rejectsInvalidConfig",
      "A configuration that cannot be used is refused with its path; an accepted one makes a"
          + " policy."),
  /** Fairness; stated, not tested. */
  P14("longRunFairness", "In the long run nobody starves but by the word of the policy."),
  /** Existence. */
  P15("losesNoInstance", "Until it is done an instance is pending or on one host, and never lost."),
  /** Beneficiaries. */
  P16(
      "victimsHaveBeneficiaries",
      "A victim leaves only for a beneficiary that the same plan places on the host it leaves."),
  /** Constraints. */
  P17("constraintsHold", "Placement constraints and anti-affinity hold after every action."),
  /** Minimal victims. */
  P18("victimSetsAreMinimal", "Of the victims of a placement none could have stayed."),
  /** Ping-pong. */
  P19("noPingPong", "An instance is the subject of at most one action in a pass."),
  /** Work conservation. */
  P20("conservesWork", "Nobody waits whom a host had room for all through the pass."),
  /** Monotony. */
  P21(
      "moreCapacityNeverHurts",
      "A request that finds a place finds one too where there is more capacity."),
  /** Exceptions. */
  P22("neverThrows", "It never throws."),
  /** Purity. */
  P23(
      "partsArePure",
      "The parts of a pipeline, asked twice, answer the same; scores and costs are numbers; and"
          + " they keep nothing they are shown."),
  /** Keys. */
  P24(
      "keysAreStable",
      "The keys of queue and victims do not change while an instance stays in its state."),
  /** Closed classes. */
  P25(
      "optimizationHintsHold",
      "Where a verdict closes a class, it would refuse all the later ones of that class too; and"
          + " whatever else a part says so that it need not be asked, holds."),
  /** Capabilities. */
  P26("usesWhatItDeclares", "It uses the capabilities that it declares, and no others."),
  /** Unordered views. */
  P27("ignoresUnspecifiedOrder", "Where no order is promised, order decides nothing."),
  /** Accounting. */
  P28("accountsForAllTime", "Service time and waiting time are what the events say."),
  /** The reference model. */
  P29("matchesReferenceModel", "It plans as the reference model does whose policy it claims to be."),
  /** Bounds of grants. */
  P30(
      "grantsAreWithinBounds",
      "What is granted is at least what is guaranteed, or what its cores can be molded to, and at most"
          + " what the host has."),
  /** Pausing and suspending. */
  P31(
      "pausedInstancesReleaseResources",
      "Who is paused gives up the CPU and keeps the rest, who is suspended holds nothing, and"
          + " neither is in service."),
  /** Migration. */
  P32(
      "migrationKeepsService",
      "Who migrates leaves the host it is on for another one and keeps the service it had."),
  /** Oversubscription. */
  P33(
      "oversubscriptionIsDeclared",
      "Less than before is granted, and less than the demand, only where that is declared, or of"
          + " cores, when somebody moldable is placed."),
  /** Refusal. */
  P34(
      "rejectionsAreFinal",
      "Only who is pending and was never placed is refused, and is not heard of again."),
  /** States of the other actions. */
  P35(
      "actsInValidStates",
      "Only who runs is paused; who runs or is paused, suspended; who stands still, resumed; who"
          + " holds capacity, resized; who runs or stands still, migrated."),
  /** Limits of pools. */
  P36(
      "respectsPoolLimits",
      "No pool is asked for more hosts than its provider offers, those that start, are up or stop"
          + " included."),
  /** Giving back. */
  P37("releasesOnlyIdleHosts", "Only hosts of a pool with nobody on them are given back."),
  /** Hosts that are not up. */
  P38(
      "usesOnlyHostsThatAreUp",
      "A host that was given back gets nothing any more, and one that is not up yet gets nothing"
          + " before."),
  /** Ends of bags. */
  P39(
      "reportsEndedBags",
      "A bag ends when its last instance does, or is cancelled, at the latest by the first pass"
          + " after its time; it is reported once, with what it got, and not heard of again."),
  /** Clusters of bags. */
  P40(
      "bagsStayOnTheirCluster",
      "Instances of a bag that is assigned to a cluster go to hosts of that cluster only.");

  private final String title;
  private final String statement;

  Rule(String title, String statement) {
    this.title = title;
    this.statement = statement;
  }

  /** Returns the rule in a word, as the names of tests have it: {@code "neverOvercommits"}. */
  public String title() {
    return title;
  }

  /** Returns the rule in a sentence. */
  public String statement() {
    return statement;
  }

  /** Returns number and title: {@code "P03 neverOvercommits"}. */
  @Override
  public String toString() {
    return name() + " " + title;
  }
}
