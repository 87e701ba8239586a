package dev.berth.policies.qos;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An instance and its accounts (sections 3.1 and 3.5.2), for {@link PaperScheduler}. */
final class PaperJob {

  /** A host. */
  record Node(HostSpec spec, List<PaperJob> jobs) {
    Node(HostSpec spec) {
      this(spec, new ArrayList<>());
    }

    String id() {
      return spec.id();
    }
  }

  private final Request request;
  private final ServiceClass serviceClass;
  private final long admittedAt;
  private @Nullable Node node; // null while pending
  private boolean runs;
  private long since; // of its state
  private long served; // until then
  private long lost;
  private boolean wasPreempted; // when it last became pending
  private long pass;

  PaperJob(Request request, ServiceClass serviceClass, long admittedAt) {
    this.request = request;
    this.serviceClass = serviceClass;
    this.admittedAt = admittedAt;
  }

  void place(Node host, long numberOfPass, long now) {
    host.jobs.add(this);
    node = host;
    since = now;
    pass = numberOfPass;
  }

  void ready(long now) {
    lost += wasPreempted ? now - since : 0;
    runs = true;
    since = now;
  }

  void stop(boolean preempted, long now) {
    served = served(now);
    node.jobs.remove(this);
    node = null;
    runs = false;
    since = now;
    wasPreempted = preempted;
  }

  String id() {
    return request.id();
  }

  Request request() {
    return request;
  }

  ServiceClass serviceClass() {
    return serviceClass;
  }

  long admittedAt() {
    return admittedAt;
  }

  Node node() {
    return node;
  }

  boolean isStarting() {
    return node != null && !runs;
  }

  boolean runs() {
    return runs;
  }

  long since() {
    return since;
  }

  /** Returns e. */
  long served(long now) {
    return served + (runs ? now - since : 0);
  }

  /** Returns S of Eq. 8: how long the starts after preemptions took. */
  long lost() {
    return lost;
  }

  /** Returns the number of the pass that placed it last. */
  long pass() {
    return pass;
  }
}
