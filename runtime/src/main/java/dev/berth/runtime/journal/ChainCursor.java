package dev.berth.runtime.journal;

import dev.berth.runtime.journal.Layout.Segment;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the records of several segments in order. */
final class ChainCursor implements JournalCursor {

  private final Disk disk;
  private final Iterator<Segment> segments;
  private final long from;
  private @Nullable Segment segment;
  private @Nullable SegmentReader reader;
  private boolean isAtRecord;

  /** Reads the records from a number on up to the last one of the last segment. */
  ChainCursor(Disk disk, List<Segment> chain, long from) {
    this.disk = disk;
    this.from = from;
    segments = chain.stream().filter(each -> each.last() >= from).toList().iterator();
  }

  @Override
  public boolean next() throws IOException {
    isAtRecord = false;
    while (true) {
      if (reader != null && segment != null && reader.number() < segment.last()) {
        if (!reader.next()) {
          String problem = reader.problem();
          throw JournalFormat.damaged(
              disk,
              segment.name(),
              reader.position(),
              problem == null ? "the file became shorter" : problem);
        }
        if (reader.number() >= from) {
          isAtRecord = true;
          return true;
        }
      } else {
        close();
        if (!segments.hasNext()) {
          return false;
        }
        segment = segments.next();
        reader = SegmentReader.open(disk, segment.name(), segment.first(), segment.fence());
      }
    }
  }

  @Override
  public long number() {
    return reader == null ? 0 : reader.number();
  }

  @Override
  public long fence() {
    return segment == null ? 0 : segment.fence();
  }

  @Override
  public byte[] bytes() throws IOException {
    if (!isAtRecord || reader == null) {
      throw new IllegalStateException("JournalCursor.bytes: next() did not return true last.");
    }
    return reader.bytes();
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
    }
    reader = null;
    segment = null;
    isAtRecord = false;
  }
}
