package dev.berth.benchmarks.peer;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cloudsimplus.allocationpolicies.VmAllocationPolicy;
import org.cloudsimplus.core.CloudSimPlus;
import org.cloudsimplus.core.Simulation;
import org.cloudsimplus.datacenters.DatacenterSimple;
import org.cloudsimplus.hosts.Host;
import org.cloudsimplus.hosts.HostSimple;
import org.cloudsimplus.resources.Pe;
import org.cloudsimplus.resources.PeSimple;
import org.cloudsimplus.schedulers.vm.VmSchedulerSpaceShared;
import org.cloudsimplus.vms.Vm;
import org.cloudsimplus.vms.VmSimple;

/**
 * An allocation policy of CloudSim Plus, asked directly: each request is a virtual machine of whole
 * cores, and no simulation runs.
 */
final class CloudSimPlacer implements Placer {

  /** Instructions that a core executes in a second, in millions. */
  static final int MIPS = 1000;

  private final VmAllocationPolicy policy;
  private final List<HostSpec> specs;
  private final Map<String, Vm> machines = new HashMap<>(); // by request

  CloudSimPlacer(VmAllocationPolicy policy, List<HostSpec> specs) {
    this.policy = policy;
    this.specs = specs;
    List<Host> hosts = hosts(specs);
    new DatacenterSimple(new CloudSimPlus(), hosts, policy);
    // Log messages ask for the simulated time even if they are discarded; without a simulation that
    // is free.
    hosts.forEach(each -> each.setSimulation(Simulation.NULL));
  }

  /** Returns hosts whose disks and networks are large enough for anything. */
  static List<Host> hosts(List<HostSpec> specs) {
    List<Host> hosts = new ArrayList<>(); // mutable, since it grows when hosts are added
    for (HostSpec each : specs) {
      List<Pe> cores = new ArrayList<>();
      for (int i = 0; i < cores(each.capacity()); i++) {
        cores.add(new PeSimple(MIPS));
      }
      hosts.add(
          new HostSimple(megabytes(each.capacity()), 1_000_000, 1_000_000, cores)
              .setVmScheduler(new VmSchedulerSpaceShared()));
    }
    return hosts;
  }

  /** Returns a virtual machine that asks for no more than a request. */
  static Vm machine(Request request) {
    Vm machine = new VmSimple(MIPS, cores(request.demand()));
    machine.setRam(megabytes(request.demand())).setBw(1).setSize(1);
    return machine;
  }

  static long cores(Resources amounts) {
    return whole("cpu", amounts.amount(Dimension.CPU), Dimension.CPU.unitsPerWhole());
  }

  private static long megabytes(Resources amounts) {
    return whole(
        "memory", amounts.amount(Dimension.MEMORY), Dimension.MEMORY.unitsPerWhole() / 1000);
  }

  private static long whole(String what, long units, long each) {
    refuseIf(units % each != 0, "%s was %s units, must be a multiple of %s.", what, units, each);
    return units / each;
  }

  @Override
  public Batch prepare(List<Request> requests) {
    List<Vm> batch = new ArrayList<>();
    for (Request each : requests) {
      Vm machine = machine(each);
      machine.setId(machines.size());
      machines.put(each.id(), machine);
      batch.add(machine);
    }
    return () -> {
      for (Vm each : batch) {
        policy.allocateHostForVm(each);
      }
    };
  }

  @Override
  public List<String> hostsOf(List<Request> requests) {
    return requests.stream()
        .map(each -> machines.get(each.id()))
        .map(each -> each.isCreated() ? specs.get((int) each.getHost().getId()).id() : "")
        .toList();
  }
}
