package dev.berth.runtime.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** The directory of a journal: all that {@link FileJournal} needs of a file system. */
interface Disk {

  /** Returns the names of the files, sorted. */
  List<String> list() throws IOException;

  /** Returns true if there is a file of that name. */
  boolean exists(String name);

  /** Creates an empty file, which must not exist, for reading and writing. */
  File create(String name) throws IOException;

  /** Opens a file that exists for reading and writing. */
  File open(String name) throws IOException;

  /** Opens a file that exists for reading only. */
  File openReadOnly(String name) throws IOException;

  /** Renames a file in one step, in place of a file that may have the new name. */
  void rename(String from, String to) throws IOException;

  /** Deletes a file if it exists. */
  void delete(String name) throws IOException;

  /** Returns once all creations, renames and deletions are durable. */
  void forceDirectory() throws IOException;

  /**
   * Locks the directory for this writer.
   *
   * @param name name of the file to lock; created if it does not exist
   * @throws JournalLockedException if another writer has the lock
   */
  Closeable lock(String name) throws IOException;

  /** Returns the path of a file, or of the directory for an empty name, for messages. */
  String path(String name);

  /** An open file. */
  interface File extends Closeable {

    /** Reads some bytes at a position; returns their number, or -1 at or after the end. */
    int read(ByteBuffer to, long position) throws IOException;

    /** Writes some bytes at a position, perhaps not all, and returns their number. */
    int write(ByteBuffer from, long position) throws IOException;

    /** Returns the size in bytes. */
    long size() throws IOException;

    /** Returns once all writes to the file are durable. */
    void force() throws IOException;
  }
}
