#!/bin/sh
# Back up the library into a folder named by the time, verify the library, and delete the oldest backups.
# BACKUPS: the folder of the backups; KEEP: how many stay (14). Nothing is deleted after a failure.
# METRICS: the folder of node_exporter's textfile collector, if any: Prometheus learns when backups were scheduled, and when one was complete.
set -eu
: "${BACKUPS:?the folder of the backups}"

list_backups() { # oldest first; one that is being written ends in .partial
    find "$BACKUPS" -mindepth 1 -maxdepth 1 -type d -name '20*Z' | sort
}

report() { # the time of an event; the collector reads no half-written file
    if [ -n "${METRICS:-}" ]; then
        echo "highlighter_backup_$1_seconds $(date +%s)" > "$METRICS/highlighter-backup-$1.new"
        mv "$METRICS/highlighter-backup-$1.new" "$METRICS/highlighter-backup-$1.prom"
    fi
}

[ -e "${METRICS:-}/highlighter-backup-scheduled.prom" ] || report scheduled
previous=$(list_backups | tail -n 1)
highlighter backup "$BACKUPS/$(date -u +%Y-%m-%dT%H%M%SZ)" ${previous:+--previous "$previous"}
highlighter verify
report completed
list_backups | head -n "-${KEEP:-14}" | while read -r old; do rm -r -- "$old"; done
