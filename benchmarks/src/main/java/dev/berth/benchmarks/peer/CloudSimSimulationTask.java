package dev.berth.benchmarks.peer;

import java.util.ArrayList;
import java.util.List;
import org.cloudsimplus.allocationpolicies.VmAllocationPolicyFirstFit;
import org.cloudsimplus.brokers.DatacenterBroker;
import org.cloudsimplus.brokers.DatacenterBrokerSimple;
import org.cloudsimplus.cloudlets.Cloudlet;
import org.cloudsimplus.cloudlets.CloudletSimple;
import org.cloudsimplus.core.CloudSimEntity;
import org.cloudsimplus.core.CloudSimPlus;
import org.cloudsimplus.core.CloudSimTag;
import org.cloudsimplus.core.events.SimEvent;
import org.cloudsimplus.datacenters.DatacenterSimple;
import org.cloudsimplus.vms.Vm;

/**
 * CloudSim Plus, from end to end: each request is a virtual machine with one cloudlet and is
 * destroyed when the cloudlet is done. Requests are submitted on arrival instead of at the start
 * with a delay, since the broker scans all pending machines at each event.
 */
record CloudSimSimulationTask() implements Task {

  private static final double SHORTLY = 0.2; // seconds; must be at least 0.1

  @Override
  public Figures run(Size size) {
    return SimulatedLoad.measure(size, CloudSimSimulationTask::simulate);
  }

  private static void simulate(SimulatedLoad load) {
    CloudSimPlus simulation = new CloudSimPlus();
    new DatacenterSimple(
        simulation, CloudSimPlacer.hosts(load.hosts()), new VmAllocationPolicyFirstFit());
    DatacenterBroker broker = new DatacenterBrokerSimple(simulation);
    broker.setVmDestructionDelay(SHORTLY).setShutdownWhenIdle(false);
    new Arrivals(simulation, broker, load);
    simulation.start();
    List<Cloudlet> finished = broker.getCloudletFinishedList();
    if (finished.size() != load.requests().size()
        || !finished.stream().allMatch(Cloudlet::isFinished)) {
      throw new IllegalStateException(
          "of %s requests %s were completed.".formatted(load.requests().size(), finished.size()));
    }
  }

  /** Submits requests when they arrive. */
  private static final class Arrivals extends CloudSimEntity {

    private final DatacenterBroker broker;
    private final SimulatedLoad load;
    private int next;

    Arrivals(CloudSimPlus simulation, DatacenterBroker broker, SimulatedLoad load) {
      super(simulation);
      this.broker = broker;
      this.load = load;
    }

    @Override
    protected void startInternal() {
      schedule(load.arrival(0), CloudSimTag.NONE);
    }

    @Override
    public void processEvent(SimEvent event) {
      int now = load.arrival(next);
      List<Vm> machines = new ArrayList<>();
      List<Cloudlet> cloudlets = new ArrayList<>();
      for (; next < load.requests().size() && load.arrival(next) == now; next++) {
        Vm machine = CloudSimPlacer.machine(load.requests().get(next));
        Cloudlet cloudlet =
            new CloudletSimple(
                (long) load.seconds().get(next) * CloudSimPlacer.MIPS,
                (int) machine.getPesNumber());
        cloudlet.setVm(machine);
        machines.add(machine);
        cloudlets.add(cloudlet);
      }
      broker.submitVmList(machines);
      broker.submitCloudletList(cloudlets);
      if (next < load.requests().size()) {
        schedule(load.arrival(next) - now, CloudSimTag.NONE);
      } else {
        broker.setShutdownWhenIdle(true);
      }
    }
  }
}
