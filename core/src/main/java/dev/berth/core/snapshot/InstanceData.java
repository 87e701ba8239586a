package dev.berth.core.snapshot;

import dev.berth.api.PlainHash;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An instance that is not done.
 *
 * @param id its id
 * @param request its request; empty for a member of a bag, whose {@link BagData} has it
 * @param bag id of its bag, if any
 * @param admission its number in the order of admission, unique
 * @param admittedAt when it was admitted
 * @param state name of its {@link dev.berth.api.InstanceState}
 * @param stateSince when it entered that state
 * @param host id of its host; empty if it is pending
 * @param grant what it is granted there; empty for its demand
 * @param usage the latest report of its usage there, if any
 * @param previousUsage the report before that, if any
 * @param served its service in the runs before the present one
 * @param earned the life that this service pays for by its objective
 * @param preemptions how often it was preempted
 * @param placements how often it was placed
 * @param migrations how often it was migrated
 * @param restartOverhead the time that its restarts after preemptions took
 * @param placedAfterPreemption whether the placement under way follows a preemption
 * @param lastStopWasPreemption whether it was last stopped by a preemption
 * @param promised the host of its reservation, if later instances respect it, by {@link
 *     HostData#joined}; the host may have left since
 * @param queueKey its key in the order of the queue; 0 without a pipeline
 * @param victimKey its key in the order of victims; 0 without a pipeline that preempts
 * @param queuedAfterPass the latest pass of a pipeline before it came into the queue; 0 for none
 * @param starts its attempts to start
 * @param stopAfter before when it is not stopped again, if its fleet could not stop it
 * @param waitsFor the ids of the instances that must complete before it may start
 */
public record InstanceData(
    String id,
    Optional<RequestData> request,
    Optional<String> bag,
    long admission,
    long admittedAt,
    String state,
    long stateSince,
    Optional<String> host,
    Optional<Map<String, Long>> grant,
    Optional<UsageData> usage,
    Optional<UsageData> previousUsage,
    long served,
    long earned,
    int preemptions,
    int placements,
    int migrations,
    long restartOverhead,
    boolean placedAfterPreemption,
    boolean lastStopWasPreemption,
    OptionalLong promised,
    long queueKey,
    long victimKey,
    long queuedAfterPass,
    StartsData starts,
    @PlainHash.Added OptionalLong stopAfter,
    @PlainHash.Added List<String> waitsFor)
    implements PlainHash.Listed {

  /** Copies the grant and the list. */
  public InstanceData {
    grant = grant.map(Plain::sorted);
    waitsFor = List.copyOf(waitsFor);
  }

  @Override
  public Object[] components() {
    return new Object[] {
      id,
      request,
      bag,
      admission,
      admittedAt,
      state,
      stateSince,
      host,
      grant,
      usage,
      previousUsage,
      served,
      earned,
      preemptions,
      placements,
      migrations,
      restartOverhead,
      placedAfterPreemption,
      lastStopWasPreemption,
      promised,
      queueKey,
      victimKey,
      queuedAfterPass,
      starts,
      stopAfter,
      waitsFor
    };
  }

  /** Returns the same without the request. */
  public InstanceData withoutRequest() {
    return request.isEmpty()
        ? this
        : new InstanceData(
            id,
            Optional.empty(),
            bag,
            admission,
            admittedAt,
            state,
            stateSince,
            host,
            grant,
            usage,
            previousUsage,
            served,
            earned,
            preemptions,
            placements,
            migrations,
            restartOverhead,
            placedAfterPreemption,
            lastStopWasPreemption,
            promised,
            queueKey,
            victimKey,
            queuedAfterPass,
            starts,
            stopAfter,
            waitsFor);
  }

  /** Returns a hash of all components. That of the request can be kept, since it never changes. */
  public long digest() {
    return PlainHash.combine(PlainHash.of(withoutRequest()), PlainHash.of(request));
  }

  /**
   * The attempts of an instance to start.
   *
   * @param attempt the number of the latest
   * @param earlier the earlier attempt in which the fleet was found to be; 0 for none
   * @param failed the starts that failed in a row
   * @param heldUntil until when it is held back, if it is
   */
  public record StartsData(int attempt, int earlier, int failed, OptionalLong heldUntil)
      implements PlainHash.Listed {

    @Override
    public Object[] components() {
      return new Object[] {attempt, earlier, failed, heldUntil};
    }
  }

  /**
   * A {@link dev.berth.api.Usage} report. It may name dimensions that the cluster does not have.
   *
   * @param at its time
   * @param used the used amounts
   * @param shortfall the missing amounts
   */
  public record UsageData(long at, List<AmountData> used, List<AmountData> shortfall) {

    /** Copies the amounts. */
    public UsageData {
      used = List.copyOf(used);
      shortfall = List.copyOf(shortfall);
    }
  }

  /**
   * An amount of a resource.
   *
   * @param dimension name of the dimension
   * @param unitsPerWhole its scale
   * @param amount in units
   */
  public record AmountData(String dimension, long unitsPerWhole, long amount) {}
}
