using System.Collections.Generic;

namespace House
{
    public record Size(int Width, int Depth);

    public struct Room
    {
        private readonly List<Lamp> lamps;

        public Room(int count)
        {
            lamps = new List<Lamp>();
            for (var at = 0; at < count; at++) lamps.Add(new Lamp());
        }

        public void ToggleAll()
        {
            foreach (var lamp in lamps) lamp.Toggle();
        }
    }
}
