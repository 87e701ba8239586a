package dev.berth.runtime.entry;

import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.snapshot.SchedulerSnapshot;
import dev.berth.json.SnapshotFormat;
import dev.berth.json.UnreadableException;
import dev.berth.json.ValueFormat;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * What a snapshot of a journal contains: all that decides what follows. Immutable.
 *
 * @param settings the settings of the scheduler
 * @param open the actions that the fleet has not carried out, in order
 * @param scheduler the snapshot of the scheduler
 */
public record SavedState(Settings settings, List<OpenAction> open, SchedulerSnapshot scheduler) {

  private static final int FORMAT = 1;
  private static final int LONGEST = 1 << 28; // of the first part, in bytes
  private static final ValueFormat<Loop> LOOP = ValueFormat.of(Loop.class);

  /** Copies the list. */
  public SavedState {
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(scheduler, "scheduler");
    open = List.copyOf(open);
  }

  /**
   * An action that the fleet has not carried out.
   *
   * @param id its id
   * @param action the action
   */
  public record OpenAction(ActionId id, Action action) {}

  /**
   * The part that is not the scheduler's.
   *
   * @param settings the settings
   * @param open the open actions
   */
  public record Loop(Settings settings, List<OpenAction> open) {
    /** Copies the list. */
    public Loop {
      open = List.copyOf(open);
    }
  }

  /** Writes it. Leaves the stream open. */
  public void writeTo(OutputStream out) throws IOException {
    Objects.requireNonNull(out, "out");
    byte[] loop = LOOP.toCbor(new Loop(settings, open));
    DataOutputStream data = new DataOutputStream(out);
    data.writeByte(FORMAT);
    data.writeInt(loop.length);
    data.write(loop);
    data.flush();
    SnapshotFormat.CBOR.write(scheduler, out);
  }

  /**
   * Reads it up to the end of a stream. Leaves the stream open.
   *
   * @throws UnreadableException if the first part is damaged, or of a later format
   * @throws SnapshotException if the snapshot of the scheduler is
   * @throws IOException if the stream throws it
   */
  public static SavedState readFrom(InputStream in) throws IOException {
    AtomicLong checksum = new AtomicLong();
    SavedState saved = readFrom(in, checksum::set);
    saved.scheduler().requireChecksum(checksum.get());
    return saved;
  }

  /**
   * Reads it as {@link #readFrom(InputStream)}, and leaves it to the caller to {@linkplain
   * SchedulerSnapshot#requireChecksum require} the checksum of the scheduler's snapshot.
   *
   * @param checksum receives the one that was written
   */
  public static SavedState readFrom(InputStream in, LongConsumer checksum) throws IOException {
    Objects.requireNonNull(in, "in");
    DataInputStream data = new DataInputStream(in);
    int format = data.readUnsignedByte();
    if (format != FORMAT) {
      throw new UnreadableException(EntryFormat.unknown(format));
    }
    int length = data.readInt();
    if (length < 0 || length > LONGEST) {
      throw new UnreadableException(
          "snapshot has a first part of %s bytes, must be from 0 to %s."
              .formatted(length, LONGEST));
    }
    Loop loop = LOOP.fromCbor(data.readNBytes(length));
    return new SavedState(loop.settings(), loop.open(), SnapshotFormat.CBOR.read(in, checksum));
  }
}
