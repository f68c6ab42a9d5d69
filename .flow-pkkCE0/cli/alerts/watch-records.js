const WATCH_VERSION = 2;
class WatchKnowledge {
  vehicles = /* @__PURE__ */ new Map();
  /** A hash of the shape of each geofence; null before they were read. */
  geofences = null;
  #waiting = { exec: /* @__PURE__ */ new Map(), post: /* @__PURE__ */ new Map() };
  /** Returns the events that a receiver has not taken yet, the oldest first. */
  waitingFor(receiver) {
    return [...this.#waiting[receiver].values()];
  }
  take(record) {
    switch (record.kind) {
      case "round":
        for (const [id, state] of record.vehicles) {
          if (state === null) this.vehicles.delete(id);
          else this.vehicles.set(id, state);
        }
        if (record.geofences) this.geofences = new Map(record.geofences);
        for (const receiver of record.receivers) this.#add(receiver, record.events);
        break;
      case "done":
        this.#waiting[record.receiver].delete(record.id);
    }
  }
  /** Drops the states, for a watch that begins anew. Waiting events stay. */
  forgetFleet() {
    this.vehicles.clear();
    this.geofences = null;
  }
  /** Returns everything in small records: damage of the file costs little. The owner is at both ends. */
  records(owner) {
    const round = { kind: "round", vehicles: [], events: [], receivers: [] };
    const own = { kind: "owner", version: WATCH_VERSION, owner };
    return [
      own,
      ...[...this.vehicles].map((vehicle) => ({ ...round, vehicles: [vehicle] })),
      ...!this.geofences?.size ? [] : [{ ...round, geofences: [...this.geofences] }],
      ...["exec", "post"].flatMap(
        (receiver) => this.waitingFor(receiver).map((event) => ({ ...round, events: [event], receivers: [receiver] }))
      ),
      own
    ];
  }
  #add(receiver, events) {
    for (const event of events) this.#waiting[receiver].set(event.id, event);
  }
}
export {
  WATCH_VERSION,
  WatchKnowledge
};
