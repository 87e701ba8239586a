package dev.berth.experiments.studies.qos;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The requests of a workload by id, which published logs are joined with. */
final class Requests {

  /**
   * A request.
   *
   * @param serviceClass its class
   * @param admitted when it is admitted, in nanoseconds since the start
   */
  record Known(ServiceClass serviceClass, long admitted) {}

  private final Workload workload;
  private final Map<String, ServiceClass> classes = new LinkedHashMap<>();
  private final Map<String, Known> byId = new LinkedHashMap<>();

  private Requests(Workload workload) {
    this.workload = workload;
    workload.serviceClasses().forEach(each -> classes.put(each.name(), each));
  }

  /** Reads a workload. */
  static Requests of(Workload workload) {
    Requests requests = new Requests(workload);
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(
          each -> {
            ServiceClass its =
                Objects.requireNonNull(requests.classes.get(each.request().serviceClass()));
            requests.byId.put(each.request().id(), new Known(its, each.at()));
          });
    }
    return requests;
  }

  /** Returns the name of the workload. */
  String workload() {
    return workload.name();
  }

  /** Returns the service classes of the workload. */
  List<ServiceClass> serviceClasses() {
    return List.copyOf(classes.values());
  }

  /** Returns a service class of the workload. */
  Optional<ServiceClass> serviceClass(String name) {
    return Optional.ofNullable(classes.get(name));
  }

  /** Returns a request. */
  Optional<Known> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** Returns all requests in the order of the workload. */
  Map<String, Known> byId() {
    return byId;
  }
}
