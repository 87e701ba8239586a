package dev.berth.core.internal.cluster;

import dev.berth.core.internal.undo.UndoLog;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The instances that ended last, at most {@value #MOST}: reports about them are late, requests may
 * be to start after them, and an instance that takes the id of one counts its attempts on, so that
 * no late report is taken for its own.
 */
public final class EndedInstances {

  /** How many are remembered: an hour of a fleet that ends one each second. */
  public static final int MOST = 4_096;

  private final Map<String, Ended> byId = new LinkedHashMap<>(); // the latest end last
  private final Map<String, Ended> supposed = new HashMap<>(); // of questions

  /**
   * How an instance ended.
   *
   * @param attempt its last attempt; 0 if it had none
   * @param cancelled whether it was cancelled or rejected; otherwise it completed
   */
  public record Ended(int attempt, boolean cancelled) {}

  /** Remembers the end of an instance, and forgets the oldest if there are too many. */
  public void add(String id, Ended how) {
    byId.remove(id); // so that it is last
    byId.put(id, how);
    if (byId.size() > MOST) {
      Iterator<String> oldest = byId.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** Forgets an end that was undone, or never was. */
  public void remove(String id) {
    byId.remove(id);
  }

  /** Returns how the latest instance of that id ended; null if none is remembered. */
  public @Nullable Ended get(String id) {
    return supposed.getOrDefault(id, byId.get(id));
  }

  /** Supposes an end until the returned step is undone. */
  public UndoLog.Step suppose(String id, Ended how) {
    supposed.put(id, how);
    return () -> supposed.remove(id);
  }

  /** Returns all, in the order of their ends; read-only. */
  public Map<String, Ended> all() {
    return byId;
  }
}
