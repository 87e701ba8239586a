package dev.berth.benchmarks.peer;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import java.util.List;

/** Finds hosts for requests on a cluster that is empty at first. */
interface Placer extends AutoCloseable {

  /**
   * Converts requests into the types of the placer. Not measured.
   *
   * @return a batch, which must be placed before the next one is prepared
   */
  Batch prepare(List<Request> requests);

  /** Returns the host of each request, in order; empty without a host. Not measured. */
  List<String> hostsOf(List<Request> requests);

  @Override
  default void close() {}

  /** A batch of requests. */
  interface Batch {

    /** Finds hosts for as many requests as fit. This is measured. */
    void place();

    /**
     * Records the placements, if placing did not. Not measured, in favour of placers that need it.
     */
    default void keepAccount() {}
  }

  /** Creates placers. */
  interface Maker {

    /** Returns a placer for some hosts. */
    Placer on(List<HostSpec> hosts);
  }
}
