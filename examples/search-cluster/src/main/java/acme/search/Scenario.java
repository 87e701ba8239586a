package acme.search;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The hosts and shards of a cluster, always the same for the same numbers.
 *
 * @param hosts of equal size, in three zones
 * @param shards of 10 to 50 GB
 */
record Scenario(List<DataHost> hosts, List<Shard> shards) {

  static final List<String> ZONES = List.of("zone-a", "zone-b", "zone-c");

  private static final int SMALLEST = 10;
  private static final int LARGEST = 50;
  private static final int SEED = 1;
  private static final int USUAL_PERCENT = 75;

  /** Returns a cluster whose copies need three quarters of the disks. */
  static Scenario of(int hosts, int shards) {
    return of(hosts, shards, USUAL_PERCENT);
  }

  /**
   * Returns a cluster.
   *
   * @param percent how much of the disks all copies together need
   */
  static Scenario of(int hosts, int shards, int percent) {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Shard> all = new ArrayList<>();
    long gigabytes = 0;
    for (int i = 0; i < shards; i++) {
      Shard shard = new Shard("s%05d".formatted(i), random.nextInt(SMALLEST, LARGEST + 1));
      gigabytes += (long) shard.gigabytes() * Shard.COPIES;
      all.add(shard);
    }
    int disk = (int) (gigabytes * 100 / percent / hosts);
    List<DataHost> machines = new ArrayList<>();
    for (int i = 0; i < hosts; i++) {
      String zone = ZONES.get(i % ZONES.size());
      machines.add(new DataHost("h%04d".formatted(i), zone, disk));
    }
    return new Scenario(List.copyOf(machines), List.copyOf(all));
  }
}
