package acme.search;

/**
 * A host that stores copies of shards.
 *
 * @param name unique in the cluster
 * @param zone the availability zone
 * @param gigabytes the size of its disk
 */
record DataHost(String name, String zone, int gigabytes) {}
