package dev.berth.cli.workload;

import dev.berth.api.Request;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ForwardingWorkload;
import dev.berth.simulator.workload.Workload;
import java.util.function.UnaryOperator;

/**
 * A workload that finds its largest job with anti-affinity while it is read. The requests of a job
 * must be consecutive, as those of generated workloads are.
 */
final class AntiAffineJobs extends ForwardingWorkload {

  private String largest = "";
  private int largestSize;

  AntiAffineJobs(Workload workload) {
    super(workload);
  }

  /** Returns the id of the largest job read so far; empty if there is none. */
  String largest() {
    return largest;
  }

  /** Returns the number of requests of that job: it needs as many hosts. */
  int largestSize() {
    return largestSize;
  }

  @Override
  protected UnaryOperator<Arrival> reading() {
    return new Reading();
  }

  private final class Reading implements UnaryOperator<Arrival> {

    private String job = "";
    private int requests;

    @Override
    public Arrival apply(Arrival next) {
      count(next.request());
      return next;
    }

    private void count(Request request) {
      if (!request.antiAffinity()) {
        return;
      }
      String its = request.job().orElse(request.id());
      requests = its.equals(job) ? requests + 1 : 1;
      job = its;
      if (requests > largestSize) {
        largest = job;
        largestSize = requests;
      }
    }
  }
}
