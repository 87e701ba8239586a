package dev.berth.benchmarks.peer;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import java.util.List;

/** Somebody who finds hosts for requests, on a cluster that is empty at first. */
interface Placer extends AutoCloseable {

  /**
   * Turns requests into what it takes. Not measured.
   *
   * @return to be placed at once, and before any other
   */
  Batch prepare(List<Request> requests);

  /** Returns where each of some requests is, in their order; empty if nowhere. Not measured. */
  List<String> hostsOf(List<Request> requests);

  @Override
  default void close() {}

  /** Requests to be placed. */
  interface Batch {

    /** Finds hosts for as many as there is room for. This is what is measured. */
    void place();

    /** Keeps account of it, if placing has not. Not measured, for the sake of who has to. */
    default void keepAccount() {}
  }

  /** Makes one. */
  interface Maker {

    /** Returns one that knows the hosts. */
    Placer on(List<HostSpec> hosts);
  }
}
