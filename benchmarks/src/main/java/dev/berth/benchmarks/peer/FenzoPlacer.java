package dev.berth.benchmarks.peer;

import com.netflix.fenzo.ConstraintEvaluator;
import com.netflix.fenzo.TaskAssignmentResult;
import com.netflix.fenzo.TaskRequest;
import com.netflix.fenzo.TaskScheduler;
import com.netflix.fenzo.VMAssignmentResult;
import com.netflix.fenzo.VMTaskFitnessCalculator;
import com.netflix.fenzo.VirtualMachineLease;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.mesos.Protos;
import org.jspecify.annotations.Nullable;

/**
 * Netflix Fenzo, with one permanent lease for each host, whose use Fenzo tracks itself. No lease is
 * offered again for each batch, and none expires.
 */
final class FenzoPlacer implements Placer {

  private static final double MEGA = 1000;

  private final TaskScheduler scheduler;
  private final Map<String, String> hosts = new HashMap<>(); // by task
  private List<VirtualMachineLease> unknown; // leases not yet offered

  FenzoPlacer(TaskScheduler.Builder builder, List<HostSpec> hosts) {
    this.scheduler =
        builder
            .withSingleOfferPerVM(true)
            .withMaxOffersToReject(0) // otherwise each batch searches all hosts for each host
            .withLeaseRejectAction(FenzoPlacer::rejected)
            .disableShortfallEvaluation()
            .build();
    this.unknown = hosts.stream().map(Lease::of).toList();
  }

  private static void rejected(VirtualMachineLease lease) {
    throw new IllegalStateException("lease %s was rejected.".formatted(lease.getId()));
  }

  @Override
  public Batch prepare(List<Request> requests) {
    List<Task> tasks = requests.stream().map(Task::new).toList();
    if (!unknown.isEmpty()) {
      scheduler.scheduleOnce(List.of(), unknown);
      unknown = List.of();
    }
    return new TaskBatch(tasks);
  }

  @Override
  public List<String> hostsOf(List<Request> requests) {
    return requests.stream().map(each -> hosts.getOrDefault(each.id(), "")).toList();
  }

  @Override
  public void close() {
    scheduler.shutdown();
  }

  /** Updating its records takes a search through all hosts for each task. */
  private final class TaskBatch implements Batch {

    private final List<Task> tasks;
    private Collection<VMAssignmentResult> assignments = List.of();

    TaskBatch(List<Task> tasks) {
      this.tasks = tasks;
    }

    @Override
    public void place() {
      assignments = scheduler.scheduleOnce(tasks, List.of()).getResultMap().values();
    }

    @Override
    public void keepAccount() {
      for (VMAssignmentResult host : assignments) {
        for (TaskAssignmentResult task : host.getTasksAssigned()) {
          scheduler.getTaskAssigner().call(task.getRequest(), host.getHostname());
          hosts.put(task.getTaskId(), host.getHostname());
        }
      }
    }
  }

  private static double cores(long units) {
    return (double) units / Dimension.CPU.unitsPerWhole();
  }

  private static double megabytes(long units) {
    return MEGA * units / Dimension.MEMORY.unitsPerWhole();
  }

  /** A host. */
  private record Lease(String hostname, double cpuCores, double memoryMB)
      implements VirtualMachineLease {

    static VirtualMachineLease of(HostSpec host) {
      return new Lease(
          host.id(),
          cores(host.capacity().amount(Dimension.CPU)),
          megabytes(host.capacity().amount(Dimension.MEMORY)));
    }

    @Override
    public String getId() {
      return hostname;
    }

    @Override
    public long getOfferedTime() {
      return 0;
    }

    @Override
    public String getVMID() {
      return hostname;
    }

    @Override
    public double networkMbps() {
      return 0;
    }

    @Override
    public double diskMB() {
      return 0;
    }

    @Override
    public List<Range> portRanges() {
      return List.of();
    }

    @Override
    @SuppressWarnings("NullAway") // as its own do that were made without an offer
    public Protos.@Nullable Offer getOffer() {
      return null;
    }

    /** Not a map of {@link Map#of}, which rejects look-ups of null, and Fenzo looks up null. */
    @Override
    public Map<String, Protos.Attribute> getAttributeMap() {
      return Collections.emptyMap();
    }

    @Override
    public Double getScalarValue(String name) {
      return 0.0;
    }

    @Override
    public Map<String, Double> getScalarValues() {
      return Collections.emptyMap();
    }
  }

  /** A request. */
  private static final class Task implements TaskRequest {

    private final String id;
    private final double cores;
    private final double megabytes;
    private @Nullable AssignedResources assigned;

    Task(Request request) {
      this.id = request.id();
      this.cores = cores(request.demand().amount(Dimension.CPU));
      this.megabytes = megabytes(request.demand().amount(Dimension.MEMORY));
    }

    @Override
    public String getId() {
      return id;
    }

    @Override
    public String taskGroupName() {
      return "";
    }

    @Override
    public double getCPUs() {
      return cores;
    }

    @Override
    public double getMemory() {
      return megabytes;
    }

    @Override
    public double getNetworkMbps() {
      return 0;
    }

    @Override
    public double getDisk() {
      return 0;
    }

    @Override
    public int getPorts() {
      return 0;
    }

    @Override
    public Map<String, Double> getScalarRequests() {
      return Collections.emptyMap();
    }

    @Override
    public Map<String, NamedResourceSetRequest> getCustomNamedResources() {
      return Collections.emptyMap();
    }

    @Override
    public List<? extends ConstraintEvaluator> getHardConstraints() {
      return List.of();
    }

    @Override
    public List<? extends VMTaskFitnessCalculator> getSoftConstraints() {
      return List.of();
    }

    @Override
    public void setAssignedResources(AssignedResources resources) {
      assigned = resources;
    }

    @Override
    @SuppressWarnings("NullAway") // null is what it expects before there are any
    public @Nullable AssignedResources getAssignedResources() {
      return assigned;
    }
  }
}
