package dev.berth.kubernetes.meaning;

import dev.berth.api.Resources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a pod holds of its node, as a kubelet counts it.
 *
 * <p>That is the greater of two demands, plus the overhead of its runtime class: all containers
 * together with the sidecars, or each init container together with the sidecars that precede it. A
 * request of the pod as a whole replaces those of its containers. While a container is resized, the
 * greatest of its desired, allocated and actual resources counts; the desired ones do not count if
 * the resize is infeasible. A resource with a limit and no request counts with its limit.
 *
 * @param resources all of that, and one of {@link Quantities#PODS}
 * @param refused what could not be counted; empty if all is counted
 */
public record PodDemand(Resources resources, List<Refusal> refused) {

  private static final Set<String> COUNTED_FOR_PODS = Set.of("cpu", "memory");

  /** Copies the list. */
  public PodDemand {
    refused = List.copyOf(refused);
  }

  /**
   * Returns what a pod holds, or will hold, of its node. Never throws: what cannot be counted is
   * left out and reported.
   */
  public static PodDemand of(Pod pod) {
    Findings findings = new Findings();
    return new PodDemand(read(pod, findings), findings.refused());
  }

  static Resources read(Pod pod, Findings findings) {
    PodSpec spec = pod.getSpec();
    return spec == null
        ? new Amounts().demandOfPod("spec", findings)
        : new Reader(pod, findings).read(spec);
  }

  /** Returns the ports of its node that a pod takes; init containers that end take none. */
  static List<HostPort> hostPorts(Pod pod) {
    PodSpec spec = pod.getSpec();
    if (spec == null) {
      return List.of();
    }
    return Stream.concat(
            Nulls.list(spec.getContainers()).stream(),
            Nulls.list(spec.getInitContainers()).stream().filter(PodDemand::isSidecar))
        .flatMap(each -> Nulls.list(each.getPorts()).stream())
        .filter(each -> each.getHostPort() != null && each.getHostPort() > 0)
        .map(PodDemand::hostPort)
        .distinct()
        .toList();
  }

  private static HostPort hostPort(ContainerPort port) {
    String protocol = Nulls.text(port.getProtocol());
    String address = Nulls.text(port.getHostIP());
    return new HostPort(
        protocol.isEmpty() ? "TCP" : protocol,
        port.getHostPort(),
        address.isEmpty() ? HostPort.ANY : address);
  }

  /** Returns whether an init container runs as long as the pod. */
  private static boolean isSidecar(Container container) {
    return Nulls.text(container.getRestartPolicy()).equals("Always");
  }

  /** Adds up one pod. */
  private static final class Reader {

    private final Findings findings;
    private final Map<String, ContainerStatus> statuses = new HashMap<>();
    private final @Nullable PodStatus status;
    private final boolean infeasible;

    Reader(Pod pod, Findings findings) {
      this.findings = findings;
      this.status = pod.getStatus();
      this.infeasible = status != null && isInfeasible(status);
      if (status != null) {
        Stream.concat(
                Nulls.list(status.getContainerStatuses()).stream(),
                Nulls.list(status.getInitContainerStatuses()).stream())
            .forEach(each -> statuses.put(Nulls.text(each.getName()), each));
      }
    }

    private static boolean isInfeasible(PodStatus status) {
      return Nulls.text(status.getResize()).equals("Infeasible")
          || Nulls.list(status.getConditions()).stream()
              .anyMatch(
                  each ->
                      Nulls.text(each.getType()).equals("PodResizePending")
                          && Nulls.text(each.getStatus()).equals("True")
                          && Nulls.text(each.getReason()).equals("Infeasible"));
    }

    Resources read(PodSpec spec) {
      Amounts running = new Amounts();
      List<Container> containers = Nulls.list(spec.getContainers());
      for (int i = 0; i < containers.size(); i++) {
        running.add(read("spec.containers[%s]".formatted(i), containers.get(i), true));
      }
      Amounts sidecars = new Amounts();
      Amounts starting = new Amounts();
      List<Container> inits = Nulls.list(spec.getInitContainers());
      for (int i = 0; i < inits.size(); i++) {
        boolean stays = isSidecar(inits.get(i));
        Amounts own = read("spec.initContainers[%s]".formatted(i), inits.get(i), stays);
        if (stays) {
          running.add(own);
          sidecars.add(own);
          starting.max(sidecars);
        } else {
          own.add(sidecars);
          starting.max(own);
        }
      }
      running.max(starting);
      running.replaceBy(ofWholePod(spec));
      running.add(Amounts.read("spec.overhead", spec.getOverhead(), findings));
      return running.demandOfPod("spec.containers", findings);
    }

    private Amounts read(String path, Container container, boolean resizable) {
      Amounts desired = requests(path + ".resources", container.getResources());
      ContainerStatus at = resizable ? statuses.get(Nulls.text(container.getName())) : null;
      return at == null
          ? desired
          : greatest(desired, at.getAllocatedResources(), at.getResources());
    }

    /** Returns the requests of the pod as a whole; empty if it has none. */
    private Amounts ofWholePod(PodSpec spec) {
      ResourceRequirements whole = spec.getResources();
      if (whole == null) {
        return new Amounts();
      }
      Map<String, Quantity> counted = new HashMap<>(Nulls.map(whole.getRequests()));
      counted.keySet().removeIf(Reader::isNotForPods);
      Amounts desired = Amounts.read("spec.resources.requests", counted, findings);
      return status == null || desired.isEmpty()
          ? desired
          : greatest(desired, status.getAllocatedResources(), status.getResources());
    }

    private static boolean isNotForPods(String resource) {
      return !COUNTED_FOR_PODS.contains(resource) && !resource.startsWith("hugepages-");
    }

    private Amounts greatest(
        Amounts desired,
        @Nullable Map<String, Quantity> allocated,
        @Nullable ResourceRequirements actual) {
      Amounts held = Amounts.read("status.allocatedResources", Nulls.map(allocated), findings);
      if (actual != null) {
        held.max(
            Amounts.read("status.resources.requests", Nulls.map(actual.getRequests()), findings));
      }
      if (held.isEmpty()) {
        return desired;
      }
      if (infeasible) {
        held.fillFrom(desired); // a status names only what can be resized
        return held;
      }
      held.max(desired);
      return held;
    }

    private Amounts requests(String path, @Nullable ResourceRequirements resources) {
      if (resources == null) {
        return new Amounts();
      }
      Amounts requests =
          Amounts.read(path + ".requests", Nulls.map(resources.getRequests()), findings);
      Map<String, Quantity> limits = new HashMap<>(Nulls.map(resources.getLimits()));
      limits.keySet().removeAll(Nulls.map(resources.getRequests()).keySet());
      requests.fillFrom(Amounts.read(path + ".limits", limits, findings));
      return requests;
    }
  }
}
