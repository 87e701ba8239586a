package acme.search;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The hosts and shards of a cluster, always the same for the same numbers.
 *
 * @param hosts of equal size, in three zones
 * @param shards of 10 to 50 GB; all copies together need three quarters of the disks
 */
record Scenario(List<DataHost> hosts, List<Shard> shards) {

  static final List<String> ZONES = List.of("zone-a", "zone-b", "zone-c");

  private static final int SMALLEST = 10;
  private static final int LARGEST = 50;
  private static final int SEED = 1;

  static Scenario of(int hosts, int shards) {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Shard> all = new ArrayList<>();
    long gigabytes = 0;
    for (int i = 0; i < shards; i++) {
      Shard shard = new Shard("s%05d".formatted(i), random.nextInt(SMALLEST, LARGEST + 1));
      gigabytes += (long) shard.gigabytes() * Shard.COPIES;
      all.add(shard);
    }
    int disk = (int) (gigabytes * 4 / 3 / hosts);
    List<DataHost> machines = new ArrayList<>();
    for (int i = 0; i < hosts; i++) {
      String zone = ZONES.get(i % ZONES.size());
      machines.add(new DataHost("h%04d".formatted(i), zone, disk));
    }
    return new Scenario(List.copyOf(machines), List.copyOf(all));
  }
}
