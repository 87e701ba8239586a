package acme.farm;

/**
 * The machines of the farm. Both calls return at once. What comes of them is reported to the {@link
 * RenderFarm}, from any thread.
 */
interface Fleet {

  /** Starts a frame on a host. The reports about this attempt carry its number. */
  void start(String frame, int attempt, String host);

  /** Stops a frame on a host, if it is still there. */
  void stop(String frame, String host);
}
