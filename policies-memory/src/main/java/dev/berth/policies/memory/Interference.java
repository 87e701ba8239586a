package dev.berth.policies.memory;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.HostFilter;
import dev.berth.policies.memory.Prediction.Job;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The predicted interference between a new instance and the residents of a host (sections 5.4 and
 * 6.3): the sum of all their delays.
 *
 * <p>As a score, a smaller sum is better; idle hosts with enough memory score by what is free,
 * above all others. As a filter, it refuses hosts where the sum is too large. It keeps only scratch
 * space and computes each value afresh.
 */
final class Interference implements AllocationScore, HostFilter {

  private final double patience;
  private final long assumedRunTime;
  private final Prediction without = new Prediction();
  private final Prediction with = new Prediction();

  Interference(double patience, long assumedRunTime) {
    this.patience = patience;
    this.assumedRunTime = assumedRunTime;
  }

  @Override
  public double score(Fit fit) {
    Host host = fit.host();
    if (host.instances().isEmpty() && most(fit.instance().request()) <= Grants.usableMemory(host)) {
      return 1 + host.free(Dimension.MEMORY);
    }
    double delay = delay(fit.instance(), host, fit.now());
    double peak = with.peak();
    double below = peak == 0 ? 0 : peak / (peak + host.capacity().amount(Dimension.MEMORY));
    return -delay - below; // less than a nanosecond: decides between equal delays
  }

  @Override
  public Optional<Reason> refusal(Instance instance, Host host, long now) {
    if (host.instances().isEmpty()) {
      return Optional.empty();
    }
    double delay = delay(instance, host, now);
    return delay > patience * runTime(instance.request())
        ? Optional.of(
            new Reason.PolicyChoice(
                "memory-interference",
                "memory would run short: %s s of delay in all"
                    .formatted(Math.round(delay / Duration.ofSeconds(1).toNanos()))))
        : Optional.empty();
  }

  /** Returns the sum of the predicted delays of the newcomer and all residents, in nanoseconds. */
  double delay(Instance newcomer, Host host, long now) {
    long capacity = Grants.usableMemory(host);
    List<Instance> residents =
        host.instances().stream().sorted(ElasticityController.IN_ORDER).toList();
    long runTime = runTime(newcomer.request());
    without.clear();
    with.clear();
    int at = 0; // position of the newcomer: memory is shared in order of admission
    while (at < residents.size()
        && ElasticityController.IN_ORDER.compare(residents.get(at), newcomer) < 0) {
      add(residents.get(at++), now);
    }
    long demand = newcomer.request().demand().amount(Dimension.MEMORY);
    with.add(job(newcomer.request(), runTime, 0, demand));
    for (Instance each : residents.subList(at, residents.size())) {
      add(each, now);
    }
    without.run(capacity);
    with.run(capacity);
    // Against an end in whole cycles too, or a job of a second might seem to be late by half.
    double delay = delay(with.end(at), Prediction.endAtFullSpeed(runTime));
    for (int i = 0; i < residents.size(); i++) {
      delay += delay(with.end(i < at ? i : i + 1), without.end(i));
    }
    return delay;
  }

  private void add(Instance resident, long now) {
    Request request = resident.request();
    long runTime = runTime(request);
    // It has not completed, so some work is left.
    long done = Math.min(progress(resident, now), runTime - 1);
    Job job = job(request, runTime, done, ElasticityController.need(resident));
    without.add(job);
    with.add(job);
  }

  private static double delay(long end, long otherwise) {
    return end == Prediction.NEVER && otherwise == Prediction.NEVER
        ? 0
        : Math.max(0, (double) end - otherwise);
  }

  /** Returns the greatest need; without a profile, the demand. */
  private static long most(Request request) {
    return request
        .memoryProfile()
        .map(MemoryProfile::maximum)
        .orElseGet(() -> request.demand().amount(Dimension.MEMORY));
  }

  /** Returns a job. Without a profile, its need is constant. */
  private static Job job(Request request, long runTime, long done, long need) {
    return new Job(
        runTime,
        done,
        request.memoryProfile().orElseGet(() -> MemoryProfile.constant(need)),
        request.performanceMemoryProfile());
  }

  /** Returns its service time as work; on fewer cores, it has done less. */
  private static long progress(Instance resident, long now) {
    Request request = resident.request();
    long demand = request.demand().amountOf(Dimension.CPU.name());
    long granted = resident.granted().amountOf(Dimension.CPU.name());
    long served = resident.serviceTime(now);
    if (request.moldability().isEmpty() || granted >= demand) {
      return served;
    }
    Moldability how = request.moldability().get();
    return how.slowdown(Math.max(how.leastShare(), (double) granted / demand)).workIn(served);
  }

  private long runTime(Request request) {
    return request.estimatedRunTime().orElse(assumedRunTime);
  }
}
