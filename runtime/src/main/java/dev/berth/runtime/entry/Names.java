package dev.berth.runtime.entry;

import dev.berth.core.event.Event;
import java.util.List;
import java.util.Map;

/**
 * The names that are numbers in the bytes of entries; others are text. Journals have these numbers:
 * a name keeps its place for ever, even if it is used no more, and new names are added at the end.
 * The first 24 take one byte, the others two.
 */
final class Names {

  static final List<String> ALL =
      List.of(
          """
          Applied now input attempt instance number at Started Completed cpuTime Submit request
          id serviceClass demand Settled action pass index Passed plan state UsageReported used
          shortfall LoadReported host average Failed AddHost spec capacity attributes RemoveHost
          Cancel Rejected why Opened format engine settings policy policyConfig policyVersion
          seed serviceClasses name slo importance safetyMargin preemptionOverheadLimit watchdog
          maxPlacements hostBackoff first factor longest after instanceBackoff OfferPool pool
          limit startDelay stopDelay SetLimit amount timeShared taints key value effect grace
          ChangeHost ForeignLoad foreign DrainHost how deadline order mode atDeadline restarted
          Cordon Uncordon SetBudget job budget members RemoveBudget guaranteed application user
          labels antiAffinity constraints Equal attribute NotEqual LessThan bound GreaterThan In
          values Exists placement tolerations atMost rules Near peers OfJob Labelled domain
          Apart Spread maxSkew preferences OnHost constraint weight limits kind estimatedRunTime
          moldability points share memoryProfile steps from need performanceMemoryProfile memory
          runTime SubmitBag bag requests timeToLive SubmitGroup group minCount onLoss StartedNow
          FailedNow CompletedNow Adopt admittedAt served seen since holds Reconcile observed
          hosts instances underWay adoptions ended CancelBag ShortOfCapacity dimension
          unitsPerWhole missing LargerThanHost ConstraintNotMet actual AntiAffinity other
          Tainted taint NotNear rule place KeptApart others byOthers Uneven there fewest
          emptiest Unknown what WrongState WrongSubject PoolExhausted requested room
          OtherCluster cluster Expired late GrantTooSmall grant least oversubscribed HostDrained
          deadlinePassed Expelled LimitReached Cordoned Draining Drained OverCapacity excess
          HeldBack failures until QueuedBehind head PassFull DeadlineUnreachable BudgetExhausted
          up down more firstDown GroupIncomplete found needed exact GroupBroken left
          PolicyChoice code text CancelGroup history restartOverhead placements preemptions
          migrations restarting losesProgress maxFailures payload maxRunTime RanTooLong WaitsFor
          """
              .split("\\s+"));

  /** The names under which events are stored, where they differ from those of the records. */
  static final Map<Class<?>, String> RECORDS =
      Map.ofEntries(
          Map.entry(Event.PoolOffered.class, "OfferPool"),
          Map.entry(Event.LimitSet.class, "SetLimit"),
          Map.entry(Event.HostAdded.class, "AddHost"),
          Map.entry(Event.HostRemoved.class, "RemoveHost"),
          Map.entry(Event.HostChanged.class, "ChangeHost"),
          Map.entry(Event.ForeignLoadReported.class, "ForeignLoad"),
          Map.entry(Event.HostDrained.class, "DrainHost"),
          Map.entry(Event.HostCordoned.class, "Cordon"),
          Map.entry(Event.HostUncordoned.class, "Uncordon"),
          Map.entry(Event.BudgetSet.class, "SetBudget"),
          Map.entry(Event.BudgetRemoved.class, "RemoveBudget"),
          Map.entry(Event.BagSubmitted.class, "SubmitBag"),
          Map.entry(Event.GroupSubmitted.class, "SubmitGroup"),
          Map.entry(Event.Submitted.class, "Submit"),
          Map.entry(Event.ActionRejected.class, "Rejected"),
          Map.entry(Event.Adopted.class, "Adopt"),
          Map.entry(Event.Reconciled.class, "Reconcile"),
          Map.entry(Event.BagCancelled.class, "CancelBag"),
          Map.entry(Event.GroupCancelled.class, "CancelGroup"),
          Map.entry(Event.Cancelled.class, "Cancel"));

  private Names() {}
}
