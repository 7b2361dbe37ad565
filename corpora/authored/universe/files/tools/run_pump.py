#!/usr/bin/env python3
from core.engine_room import EngineRoom
from uncached_meter import MeterBoard


def run_pump(rounds):
    room, board = EngineRoom(), MeterBoard()
    for _ in range(rounds):
        board.note_value(room.check_room())
    return board
