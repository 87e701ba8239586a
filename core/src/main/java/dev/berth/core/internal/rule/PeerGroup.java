package dev.berth.core.internal.rule;

import java.util.ArrayList;
import java.util.List;

/** Instances that requests may refer to as peers: those of a job or with a label. */
abstract class PeerGroup {

  /** The counts that rules and preferences of live requests need, one for each domain. */
  final List<PeerTable> tables = new ArrayList<>(0);

  /** Counts the members on hosts in a new table. */
  abstract void countIn(PeerTable table);

  void arrived(RuledHost host) {
    for (int i = 0; i < tables.size(); i++) {
      tables.get(i).addPeers(host, 1);
    }
  }

  void left(RuledHost host) {
    for (int i = 0; i < tables.size(); i++) {
      tables.get(i).addPeers(host, -1);
    }
  }
}
