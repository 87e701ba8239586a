package dev.berth.experiments.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.hash.Hashing;
import dev.berth.api.policy.Policy;
import dev.berth.core.Scheduler;
import dev.berth.experiments.store.CellJson;
import dev.berth.experiments.store.ContentDigest;
import java.nio.charset.StandardCharsets;

/**
 * Digests of everything that a cell depends on: its case, its configured policy, its measurements,
 * and the code of Berth and of the policy.
 */
final class CellKey {

  /** Incremented whenever the stored form of a cell changes. */
  private static final int FORMAT = 7;

  private CellKey() {}

  /** Returns the digest of a cell, as 64 hexadecimal digits. */
  static String of(Cell cell) {
    PolicyChoice<?> policy = cell.policy().choice();
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.put("format", FORMAT);
    all.put("simulator", ContentDigest.ofCode(CellKey.class));
    all.put("core", ContentDigest.ofCode(Scheduler.class));
    all.put("api", ContentDigest.ofCode(Policy.class));
    all.put("code", ContentDigest.ofCode(policy.factory().getClass()));
    all.put("policy", policy.id());
    all.set("config", policy.configJson());
    // An infinite host is the same for any number of hosts that it stands for.
    ObjectNode setting = cell.setting().identity().deepCopy();
    setting.put(Case.SEED, cell.setting().seed());
    if (cell.policy().role() == ComparedPolicy.Role.UPPER_BOUND) {
      setting.remove(Case.SCALE);
      setting.put("infinite", true);
    }
    all.set("case", setting);
    all.set("metrics", CellJson.tree(cell.metrics()));
    return Hashing.sha256().hashString(CellJson.line(all), StandardCharsets.UTF_8).toString();
  }
}
