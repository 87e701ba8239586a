package acme.search;

/**
 * A shard of an index. Its copies are a primary and {@value #REPLICAS} replicas, all of one size.
 *
 * @param name unique in the cluster
 * @param gigabytes the size of each copy
 */
record Shard(String name, int gigabytes) {

  static final int REPLICAS = 2;
  static final int COPIES = 1 + REPLICAS;

  /** Returns the name of a copy; number 0 is the primary. */
  String copy(int number) {
    return name + "." + number;
  }

  /** Returns the name of the shard that a copy belongs to. */
  static String of(String copy) {
    return copy.substring(0, copy.lastIndexOf('.'));
  }
}
